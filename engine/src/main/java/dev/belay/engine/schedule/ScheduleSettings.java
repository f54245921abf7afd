package dev.belay.engine.schedule;

import java.time.Duration;

/**
 * Limits of the step that fires timed triggers.
 *
 * @param batch triggers decided in one transaction
 * @param instants of one trigger that one transaction decides
 * @param poll the step looks at least this often
 * @param retry a trigger that could not be decided or written is tried again after this
 */
public record ScheduleSettings(int batch, int instants, Duration poll, Duration retry) {

  public static final ScheduleSettings DEFAULT =
      new ScheduleSettings(500, 200, Duration.ofSeconds(1), Duration.ofSeconds(30));
}
