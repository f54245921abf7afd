package dev.belay.store.intake;

import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Unique;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A validated task without a run.
 *
 * @param work the task's work, as JSON
 * @param labels a JSON object
 * @param strict a lost attempt must have ended before the next may start
 * @param deadline the longest time from storing the task to its end; null means none
 * @param timer when it is due; null means at once
 * @param onlyWaits it ends when it is due, and needs no worker
 * @param unique null when it may be there twice
 */
public record NewTask(
    String tenant,
    String name,
    int priority,
    String pool,
    String work,
    String labels,
    boolean strict,
    @Nullable Duration deadline,
    @Nullable DueTime timer,
    boolean onlyWaits,
    @Nullable Unique unique) {

  public NewTask {
    if (onlyWaits && timer == null) {
      throw new IllegalArgumentException("a task that only waits needs a time");
    }
  }

  /** A task that may be there twice. */
  public NewTask(
      String tenant,
      String name,
      int priority,
      String pool,
      String work,
      String labels,
      boolean strict,
      @Nullable Duration deadline,
      @Nullable DueTime timer,
      boolean onlyWaits) {
    this(tenant, name, priority, pool, work, labels, strict, deadline, timer, onlyWaits, null);
  }

  public NewTask with(@Nullable Unique key) {
    return new NewTask(
        tenant, name, priority, pool, work, labels, strict, deadline, timer, onlyWaits, key);
  }

  /** A task that is due at once. */
  public NewTask(
      String tenant,
      String name,
      int priority,
      String pool,
      String work,
      String labels,
      boolean strict,
      @Nullable Duration deadline) {
    this(tenant, name, priority, pool, work, labels, strict, deadline, null, false);
  }
}
