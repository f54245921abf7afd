package dev.belay.store.intake;

import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Unique;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A validated task without a run.
 *
 * @param pool null means any pool of its topic
 * @param work the task's work, as JSON
 * @param labels a JSON object
 * @param strict a lost attempt must have ended before the next may start
 * @param deadline the longest time from storing the task to its end; null means none
 * @param timer when it is due; null means at once
 * @param queue where it waits for a worker; null when it only waits for its time
 * @param unique null when it may be there twice
 */
public record NewTask(
    String tenant,
    String name,
    int priority,
    @Nullable String pool,
    String work,
    String labels,
    boolean strict,
    @Nullable Duration deadline,
    @Nullable DueTime timer,
    @Nullable TaskQueue queue,
    @Nullable Unique unique) {

  public NewTask {
    if (queue == null && timer == null) {
      throw new IllegalArgumentException("a task that only waits needs a time");
    }
  }

  /** A task that may be there twice. */
  public NewTask(
      String tenant,
      String name,
      int priority,
      @Nullable String pool,
      String work,
      String labels,
      boolean strict,
      @Nullable Duration deadline,
      @Nullable DueTime timer,
      @Nullable TaskQueue queue) {
    this(tenant, name, priority, pool, work, labels, strict, deadline, timer, queue, null);
  }

  /** A task that is due at once, for any worker of its pool. */
  public NewTask(
      String tenant,
      String name,
      int priority,
      String pool,
      String work,
      String labels,
      boolean strict,
      @Nullable Duration deadline) {
    this(
        tenant,
        name,
        priority,
        pool,
        work,
        labels,
        strict,
        deadline,
        null,
        QueueOf.alone(tenant, pool, RunPolicy.DEFAULT));
  }

  /** Whether it ends when it is due, and needs no worker. */
  public boolean onlyWaits() {
    return queue == null;
  }

  public NewTask with(@Nullable Unique key) {
    return new NewTask(
        tenant, name, priority, pool, work, labels, strict, deadline, timer, queue, key);
  }
}
