package dev.belay.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The result of one scenario.
 *
 * @param traceHash the same for each run of the scenario, on any machine
 * @param faults how many faults occurred
 * @param simulated duration in simulated time
 * @param failure the violated invariant, if any
 */
public record Result(
    Scenario scenario,
    String traceHash,
    long events,
    long faults,
    Coverage coverage,
    Duration simulated,
    Optional<Failure> failure) {

  /**
   * @param trace the last events, one per line
   */
  public record Failure(String message, List<String> trace) {}
}
