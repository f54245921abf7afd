package dev.belay.simulation.command;

import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Shrinks a failing scenario: fewer kinds of faults, less work, less time with faults. Greedy:
 * keeps a change that still breaks the same invariant. Any change alters the random draws, so each
 * smaller scenario gets a few seeds to fail with.
 */
final class Shrinker {
  private static final int TRIES_MAX = 5_000;
  private static final int SEEDS_EACH = 16;
  private static final Duration TROUBLE_MIN = Duration.ofSeconds(1);

  private final Simulator simulator;
  private final LongSupplier nanos;
  private final long deadline;
  private final String broken;
  private Result smallest;
  private int tries;

  private Shrinker(Simulator simulator, Result failed, LongSupplier nanos, Duration timeMax) {
    this.simulator = simulator;
    this.nanos = nanos;
    this.deadline = nanos.getAsLong() + timeMax.toNanos();
    this.broken = broken(failed);
    this.smallest = failed;
  }

  /**
   * @param smallest breaks the same invariant
   * @param tries how many scenarios were run
   */
  record Shrunk(Result smallest, int tries) {}

  static Shrunk shrink(Simulator simulator, Result failed, LongSupplier nanos, Duration timeMax) {
    var shrinker = new Shrinker(simulator, failed, nanos, timeMax);
    shrinker.untilNothingHelps();
    return new Shrunk(shrinker.smallest, shrinker.tries);
  }

  private void untilNothingHelps() {
    Scenario before;
    do {
      before = smallest.scenario();
      dropFaults();
      fewer(scenario().tasks(), tasks -> scenario().withWork(tasks, scenario().runs()));
      fewer(scenario().runs(), runs -> scenario().withWork(scenario().tasks(), runs));
      shortenTrouble();
    } while (!isOver() && !scenario().equals(before));
  }

  /** Drops all at once, then halves, quarters, and so on to single ones. */
  private void dropFaults() {
    for (int size = scenario().faults().size(); size > 0; size /= 2) {
      for (var part : parts(scenario().faults(), size)) {
        keepIfFailing(scenario().withFaults(without(scenario().faults(), part)));
      }
    }
  }

  private void fewer(int count, IntFunction<Scenario> resize) {
    int left = count;
    int less = count;
    while (less > 0) {
      if (less <= left && keepIfFailing(resize.apply(left - less))) {
        left -= less;
      } else {
        less /= 2;
      }
    }
  }

  private void shortenTrouble() {
    Duration half;
    do {
      half = Duration.ofSeconds(scenario().trouble().toSeconds() / 2);
    } while (half.compareTo(TROUBLE_MIN) >= 0 && keepIfFailing(scenario().withTrouble(half)));
  }

  private boolean keepIfFailing(Scenario smaller) {
    for (long seed = smaller.seed(); seed < smaller.seed() + SEEDS_EACH && !isOver(); seed++) {
      tries++;
      var result = simulator.run(withSeed(smaller, seed));
      if (broken(result).equals(broken)) {
        smallest = result;
        return true;
      }
    }
    return false;
  }

  /** The invariant at the start of the message; empty when none is broken. */
  private static String broken(Result result) {
    return result.failure().map(failure -> failure.message().split(":", 2)[0]).orElse("");
  }

  private Scenario scenario() {
    return smallest.scenario();
  }

  private boolean isOver() {
    return tries >= TRIES_MAX || nanos.getAsLong() >= deadline;
  }

  private static Scenario withSeed(Scenario like, long seed) {
    return new Scenario(
        seed,
        like.faults(),
        like.tasks(),
        like.runs(),
        like.trouble(),
        like.elections(),
        like.stepsMax(),
        like.guards());
  }

  private static List<Set<FaultKind>> parts(Set<FaultKind> faults, int size) {
    var all = List.copyOf(faults);
    var parts = new ArrayList<Set<FaultKind>>();
    for (int from = 0; from < all.size(); from += size) {
      parts.add(EnumSet.copyOf(all.subList(from, Math.min(from + size, all.size()))));
    }
    return parts;
  }

  private static Set<FaultKind> without(Set<FaultKind> faults, Set<FaultKind> part) {
    var left = EnumSet.noneOf(FaultKind.class);
    left.addAll(faults);
    left.removeAll(part);
    return left;
  }
}
