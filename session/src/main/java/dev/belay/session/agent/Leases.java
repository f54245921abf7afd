package dev.belay.session.agent;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Until when strict dispatches may run: their lease counts from when the last heartbeat that the
 * server has seen was sent. The server counts from when it wrote that heartbeat, which is later.
 */
final class Leases {
  /** Heartbeats that await their answer; of more than these, the oldest extend nothing. */
  private static final int SENT_MAX = 100;

  private final TreeMap<Long, Long> sentNanos = new TreeMap<>();
  private OptionalLong fromNanos = OptionalLong.empty();
  private boolean seenHere;

  void sent(long number, long nowNanos) {
    sentNanos.put(number, nowNanos);
    if (sentNanos.size() > SENT_MAX) {
      sentNanos.pollFirstEntry();
    }
  }

  /**
   * @return whether leases reach further now
   */
  boolean seen(long number) {
    var sent = sentNanos.remove(number);
    if (sent == null) {
      return false;
    }
    sentNanos.headMap(number).clear();
    fromNanos = OptionalLong.of(sent);
    seenHere = true;
    return true;
  }

  /** What the old connection did not answer, nobody will. */
  void disconnected() {
    sentNanos.clear();
    seenHere = false;
  }

  /**
   * Whether the server has seen a heartbeat of this connection. Starts are asked for only then, so
   * that a lease is held when the answer comes, and one that was lost with another connection
   * answers nothing.
   */
  boolean mayAsk() {
    return seenHere;
  }

  /** The end of a lease of this length; empty when no heartbeat was ever seen. */
  OptionalLong until(Duration length) {
    return fromNanos.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(fromNanos.getAsLong() + length.toNanos());
  }

  boolean isOver(Duration length, long nowNanos) {
    var until = until(length);
    return until.isEmpty() || nowNanos - until.getAsLong() >= 0;
  }
}
