package dev.belay.engine.schedule;

import java.time.Duration;

/**
 * Limits of the step that keeps the promises of runs.
 *
 * @param batch runs or checks in one transaction
 * @param poll the step looks at least this often
 * @param schedulePromise a timed trigger fires within this after it is due
 */
public record PromiseSettings(int batch, Duration poll, Duration schedulePromise) {

  public static final PromiseSettings DEFAULT =
      new PromiseSettings(100, Duration.ofSeconds(1), Duration.ofSeconds(1));
}
