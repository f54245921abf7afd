package dev.belay.fuzz.run;

import dev.belay.fuzz.tested.Heap;
import dev.belay.server.api.Routes;
import java.util.List;

/**
 * What came of a seed.
 *
 * @param findings each fault once
 * @param logLines that the server wrote
 * @param found how often a fault was seen, repeats included
 */
public record Outcome(
    Counts counts,
    List<Finding> findings,
    State state,
    Health health,
    Heap heap,
    long logLines,
    int found) {

  /** From so many requests on, every route must have taken one and refused one. */
  public static final long COVERAGE_FROM = 2_000;

  /**
   * @param comparisons how often the database was compared
   * @param requests that were thrown between two looks at it
   */
  public record State(long comparisons, long requests, List<String> tables) {}

  /**
   * @param unhealthy the first answer that was not 200; empty when there was none
   */
  public record Health(long p99Millis, long worstMillis, String unhealthy) {}

  public Outcome {
    findings = List.copyOf(findings);
  }

  /** Routes that were not both obeyed and refused. */
  public List<String> uncovered() {
    if (counts.total() < COVERAGE_FROM) {
      return List.of();
    }
    return Routes.all().stream()
        .map(Routes.Served::name)
        .filter(name -> !counts.isCovered(name))
        .toList();
  }

  public boolean passed() {
    return findings.isEmpty() && uncovered().isEmpty();
  }
}
