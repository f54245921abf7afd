package dev.belay.session.agent;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How long strict dispatches may run. A lease counts from sending the last heartbeat that the
 * server saw; the server counts from writing that heartbeat, which is later.
 */
final class Leases {
  /** Heartbeats that await their answer; beyond this, the oldest extend nothing. */
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

  /** Heartbeats of the old connection will not be answered. */
  void disconnected() {
    sentNanos.clear();
    seenHere = false;
  }

  /**
   * Whether the server has seen a heartbeat of this connection. Only then does the agent ask for
   * starts, so that it holds a lease when the answer comes, and an answer of an older connection
   * does not count.
   */
  boolean mayAsk() {
    return seenHere;
  }

  /** The end of a lease of this length; empty before the first answered heartbeat. */
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
