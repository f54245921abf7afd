package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Lab;
import java.util.Locale;

/** The benchmarks by name. */
public enum Scenario {
  THROUGHPUT,
  ENQUEUE,
  LATENCY,
  CHAIN,
  FANOUT,
  TICK,
  TIMERS,
  ROUTING,
  HISTORY,
  MEMORY,
  LATENESS;

  public Outcome run(Lab lab, Wanted wanted) throws Exception {
    return switch (this) {
      case THROUGHPUT -> Throughput.run(lab, wanted);
      case ENQUEUE -> Enqueue.run(lab, wanted);
      case LATENCY -> Latency.run(lab, wanted);
      case CHAIN -> Chain.run(lab, wanted);
      case FANOUT -> FanOut.run(lab, wanted);
      case TICK -> TickTime.run(lab, wanted);
      case TIMERS -> TimerTick.run(lab, wanted);
      case ROUTING -> RoutingCost.run(lab, wanted);
      case HISTORY -> History.run(lab, wanted);
      case MEMORY -> Memory.run(lab, wanted);
      case LATENESS -> Lateness.run(lab, wanted);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
