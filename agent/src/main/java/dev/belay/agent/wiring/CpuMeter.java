package dev.belay.agent.wiring;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * How busy the processors were in about the last ten seconds. A single reading would follow every
 * short task. One caller at a time.
 */
final class CpuMeter {

  static final long WINDOW_NANOS = 10_000_000_000L;

  /** Readings kept; a caller that reads more often gets a shorter window. */
  private static final int SAMPLES_MAX = 64;

  /**
   * Counters that only rise.
   *
   * @param busy time that processors worked
   * @param available time that they could have worked, in the same unit
   * @param nanos when they were read
   */
  record Sample(long busy, long available, long nanos) {}

  private final Supplier<Optional<Sample>> counters;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  /**
   * @param counters empty when they cannot be read
   */
  CpuMeter(Supplier<Optional<Sample>> counters) {
    this.counters = counters;
  }

  /** 0 to 100; empty at the first call, and while the counters cannot be read. */
  OptionalDouble percent() {
    Optional<Sample> read = counters.get();
    if (read.isEmpty()) {
      samples.clear();
      return OptionalDouble.empty();
    }
    Sample now = read.get();
    while (samples.size() >= SAMPLES_MAX || isTooOld(now)) {
      samples.removeFirst();
    }
    Sample first = samples.peekFirst();
    samples.addLast(now);
    if (first == null || now.available() <= first.available()) {
      return OptionalDouble.empty();
    }
    double share = (now.busy() - first.busy()) / (double) (now.available() - first.available());
    return OptionalDouble.of(100 * Math.clamp(share, 0, 1));
  }

  /** The first one stays until the second one is as old as the window. */
  private boolean isTooOld(Sample now) {
    if (samples.size() < 2) {
      return false;
    }
    var inOrder = samples.iterator();
    inOrder.next();
    return now.nanos() - inOrder.next().nanos() >= WINDOW_NANOS;
  }
}
