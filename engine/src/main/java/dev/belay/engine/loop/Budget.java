package dev.belay.engine.loop;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Time limit for a piece of work, which checks it between its items. */
public final class Budget {

  public static final Budget UNLIMITED = new Budget(() -> 0, 1);

  private final LongSupplier ticker;
  private final long until;

  private Budget(LongSupplier ticker, long until) {
    this.ticker = ticker;
    this.until = until;
  }

  /**
   * @param ticker monotonic nanoseconds
   */
  public static Budget of(Duration time, LongSupplier ticker) {
    return new Budget(ticker, ticker.getAsLong() + time.toNanos());
  }

  public boolean isSpent() {
    return ticker.getAsLong() - until >= 0;
  }
}
