package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What seeds must cover for their success to mean anything. */
final class Demands {
  static final long EVENTS_MIN = 2_000;
  static final long FAULTS_MIN = 20;

  /** From this many seeds on, everything must have occurred. */
  static final long COVERED_FROM_SEEDS = 500;

  private Demands() {}

  /** The problems, in sentences. */
  static List<String> complaints(Summary summary, Simulator simulator) {
    var complaints = new ArrayList<String>();
    summary
        .fewestEvents()
        .filter(least -> least.events() < EVENTS_MIN)
        .ifPresent(
            least ->
                complaints.add(
                    tooFew(least.scenario().seed(), least.events(), EVENTS_MIN, "events")));
    summary
        .fewestFaults()
        .filter(least -> least.faults() < FAULTS_MIN)
        .ifPresent(
            least ->
                complaints.add(
                    tooFew(least.scenario().seed(), least.faults(), FAULTS_MIN, "faults")));
    if (summary.seeds() >= COVERED_FROM_SEEDS) {
      for (var kind : Coverage.Kind.values()) {
        for (var name : missing(summary.coverage(), kind, simulator)) {
          complaints.add(
              "The %s %s never occurred in %d seeds."
                  .formatted(kind.name().toLowerCase(Locale.ROOT), name, summary.seeds()));
        }
      }
    }
    return complaints;
  }

  private static Set<String> missing(Coverage coverage, Coverage.Kind kind, Simulator simulator) {
    var missing = new TreeSet<>(simulator.expected(kind));
    missing.removeAll(coverage.of(kind).keySet());
    return missing;
  }

  private static String tooFew(long seed, long count, long min, String what) {
    return "Seed %d has only %d %s; each seed must have at least %d."
        .formatted(seed, count, what, min);
  }
}
