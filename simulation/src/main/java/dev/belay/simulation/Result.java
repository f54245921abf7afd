package dev.belay.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What came of one scenario.
 *
 * @param traceHash the same for each run of the scenario, on any machine
 * @param faults how many things went wrong
 * @param simulated how long it took, in simulated time
 * @param failure what must never be, if it was
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
   * @param trace what happened last, a line each
   */
  public record Failure(String message, List<String> trace) {}
}
