package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.report.Result;
import java.util.List;

/**
 * What a scenario found.
 *
 * @param complaints why it should not be believed
 */
public record Outcome(List<Result> results, List<String> complaints) {

  static Outcome of(Result... results) {
    return new Outcome(List.of(results), List.of());
  }
}
