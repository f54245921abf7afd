package dev.belay.server.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds what was sent on one stream and waits for its reader, in bytes and in time. Thread-safe.
 */
public final class UnreadBound {

  private final long bytesMax;
  private final Duration longest;
  private final LongSupplier ticker;
  private long bytes;
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
   * @param ready the reader has taken all that was sent before
   * @return false when this is too much: nothing more should be sent to it
   */
  synchronized boolean sends(int size, boolean ready) {
    if (ready) {
      read();
    }
    long now = ticker.getAsLong();
    if (bytes == 0) {
      sinceNanos = now;
    }
    bytes += size;
    // one message may be as large as it is
    return bytes == size || (bytes <= bytesMax && now - sinceNanos <= longest.toNanos());
  }

  /** The reader has taken all. */
  synchronized void read() {
    bytes = 0;
  }
}
