package dev.belay.simulation.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Reports progress every few seconds. */
final class Progress {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final PrintStream out;
  private final LongSupplier nanos;
  private final long started;
  private final long seeds;
  private long told;
  private long doneWhenTold;

  /**
   * @param seeds how many will run
   */
  Progress(PrintStream out, LongSupplier nanos, long seeds) {
    this.out = out;
    this.nanos = nanos;
    this.seeds = seeds;
    this.started = nanos.getAsLong();
    this.told = started;
  }

  /**
   * @param next the awaited seed, so that one that does not end is known
   */
  void tell(long done, long failed, long next) {
    long now = nanos.getAsLong();
    if (now - told < EVERY.toNanos()) {
      return;
    }
    var stuck = done == doneWhenTold ? "; waiting for seed " + next : "";
    out.printf(
        Locale.ROOT,
        "simulate: %,d of %,d seeds, %.1f a second, %d failed%s%n",
        done,
        seeds,
        done / ((now - started) / 1e9),
        failed,
        stuck);
    told = now;
    doneWhenTold = done;
  }

  Duration elapsed() {
    return Duration.ofNanos(nanos.getAsLong() - started);
  }
}
