package dev.belay.fuzz.run;

import dev.belay.fuzz.tested.Heap;
import dev.belay.server.api.Routes;
import java.util.List;

/**
 * The result of a seed.
 *
 * @param findings each fault once
 * @param logLines lines in the server's log
 * @param found number of faults, including repeats
 */
public record Outcome(
    Counts counts,
    List<Finding> findings,
    State state,
    Health health,
    Heap heap,
    long logLines,
    int found) {

  /** From this many requests on, every route must have accepted one and refused one. */
  public static final long COVERAGE_FROM = 2_000;

  /**
   * @param comparisons how often the database was compared
   * @param requests sent between two comparisons
   */
  public record State(long comparisons, long requests, List<String> tables) {}

  /**
   * @param unhealthy the first answer other than 200; empty when there was none
   */
  public record Health(long p99Millis, long worstMillis, String unhealthy) {}

  public Outcome {
    findings = List.copyOf(findings);
  }

  /** Routes that did not both accept and refuse a request. */
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
