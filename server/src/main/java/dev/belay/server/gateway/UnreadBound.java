package dev.belay.server.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Bounds the unread bytes of one stream, in size and in time. Thread-safe. */
public final class UnreadBound {

  /** A worker that reads may get much at once; it must start to read within this time. */
  private static final Duration FULL_FOR_MAX = Duration.ofSeconds(5);

  private final long bytesMax;
  private final Duration longest;
  private final LongSupplier ticker;

  /** Total bytes handed over, total bytes written, and total bytes that the network took. */
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
   * The network took nothing for too long, or for a while with more than the limit waiting, or more
   * than twice the limit waits.
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
   * The next message, in the order of {@link #sends}, went to the network.
   *
   * @param ready the network took everything it was given
   */
  synchronized void written(int size, boolean ready) {
    written += size;
    if (ready) {
      ready();
    }
  }

  /** The network took everything it was given; time counts anew for the rest. */
  synchronized void ready() {
    taken = written;
    sinceNanos = ticker.getAsLong();
  }
}
