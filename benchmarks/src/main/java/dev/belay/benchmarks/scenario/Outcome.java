package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.report.Result;
import java.util.List;

/**
 * The result of a scenario.
 *
 * @param complaints why it should not be trusted
 */
public record Outcome(List<Result> results, List<String> complaints) {

  static Outcome of(Result... results) {
    return new Outcome(List.of(results), List.of());
  }
}
