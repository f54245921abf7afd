package dev.belay.domain.spec;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Limits and promises of the runs of a workflow.
 *
 * @param maxActive how many may be RUNNING at a time, over all versions; null means no limit
 * @param maxTasks how many tasks of all runs may hold a worker at a time; null means no limit
 * @param overlap what a trigger does when {@code maxActive} is reached
 * @param timeout a run that is RUNNING for longer is ended
 * @param deadline a run that has not ended this long after it was created raises an alert
 * @param expectBy a day without a successful run by then raises an alert
 */
public record RunLimits(
    @Nullable Integer maxActive,
    @Nullable Integer maxTasks,
    Overlap overlap,
    @Nullable Duration timeout,
    @Nullable Duration deadline,
    @Nullable ExpectBy expectBy) {

  public static final int MAX_ACTIVE_MAX = 10_000;
  public static final int MAX_TASKS_MAX = 100_000;
  public static final RunLimits NONE = new RunLimits(null, null, Overlap.QUEUE, null, null, null);

  public enum Overlap {
    /** The run starts at once, and does not count. */
    ALLOW,
    /** No run. */
    SKIP,
    /** The run waits for its turn. */
    QUEUE,
    /** The oldest runs are cancelled, as many as needed. */
    CANCEL_RUNNING
  }

  /**
   * A time of each day. A change of the clocks that leaves it out makes it later, one that repeats
   * it counts the first.
   */
  public record ExpectBy(LocalTime time, ZoneId zone) {

    /** The first instant after this one. */
    public Instant next(Instant after) {
      LocalDate day = LocalDate.ofInstant(after, zone).minusDays(1);
      while (!on(day).isAfter(after)) {
        day = day.plusDays(1);
      }
      return on(day);
    }

    /** The last instant before this one. */
    public Instant previous(Instant before) {
      LocalDate day = LocalDate.ofInstant(before, zone).plusDays(1);
      while (!on(day).isBefore(before)) {
        day = day.minusDays(1);
      }
      return on(day);
    }

    private Instant on(LocalDate day) {
      return day.atTime(time).atZone(zone).toInstant();
    }
  }
}
