package dev.belay.server.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds what was sent on one stream and waits for its reader, in bytes and in time. Thread-safe.
 */
public final class UnreadBound {

  /** A worker that reads may be given much at once; it has this long to begin. */
  private static final Duration FULL_FOR_MAX = Duration.ofSeconds(5);

  private final long bytesMax;
  private final Duration longest;
  private final LongSupplier ticker;

  /**
   * All bytes that were ever handed over, of these all that were written, and all that were taken.
   */
  private long sent;

  private long written;
  private long taken;
  private long sinceNanos;

  /**
   * @param ticker monotonic nanoseconds
   */
  public UnreadBound(long bytesMax, Duration longest, LongSupplier ticker) {
    this.bytesMax = bytesMax;
    this.longest = longest;
    this.ticker = ticker;
  }

  /**
   * The network has taken nothing for too long, or for a while with more than may wait; or twice as
   * much waits, however short.
   */
  synchronized boolean isTooMuch() {
    Duration still = Duration.ofNanos(ticker.getAsLong() - sinceNanos);
    long unread = sent - taken;
    return unread > 0
        && (still.compareTo(longest) > 0
            || (unread > bytesMax && still.compareTo(FULL_FOR_MAX) > 0)
            || unread / 2 > bytesMax);
  }

  synchronized void sends(int size) {
    if (sent == taken) {
      sinceNanos = ticker.getAsLong();
    }
    sent += size;
  }

  /**
   * The next message, in the order of {@link #sends}, was given to the network.
   *
   * @param ready the network has taken all that it was given
   */
  synchronized void written(int size, boolean ready) {
    written += size;
    if (ready) {
      ready();
    }
  }

  /** The network has taken all that it was given; what still waits for it has not begun to. */
  synchronized void ready() {
    taken = written;
    sinceNanos = ticker.getAsLong();
  }
}
