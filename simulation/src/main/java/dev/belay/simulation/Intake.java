package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Submits of clients. Every call may be repeated. */
public interface Intake {

  /** One task; its policy decides whether it is strict. */
  record WantedTask(
      String name,
      int priority,
      String pool,
      Work work,
      @Nullable Duration deadline,
      @Nullable DueTime timer,
      Keys keys) {

    public WantedTask(
        String name, int priority, String pool, Work work, @Nullable Duration deadline) {
      this(name, priority, pool, work, deadline, null, Keys.NONE);
    }

    /** Where it waits for a worker. */
    public TaskQueue queue() {
      TaskQueue plain = QueueOf.alone(WorkflowSpec.DEFAULT_TENANT, pool, work.policy());
      return new TaskQueue(
          plain.tenant(), plain.workflow(), plain.placement(), keys.concurrency(), keys.rate());
    }
  }

  /** What limits a task beside its pool and tenant. */
  record Keys(@Nullable Concurrency concurrency, @Nullable RateLimit rate) {
    public static final Keys NONE = new Keys(null, null);
  }

  List<TaskId> submit(String key, List<WantedTask> tasks);

  /** Adds a version of the workflow; the spec has the limit on its active runs. */
  void register(WorkflowSpec spec);

  /** Its triggers end now; a register brings it back. */
  void delete(String workflow);

  RunId trigger(String key, String workflow);

  /**
   * Declares a pool.
   *
   * @param slots null means no limit
   */
  void limitPool(String pool, @Nullable Integer slots);

  /**
   * Declares the tenant.
   *
   * @param running null means no limit
   */
  void limitTenant(@Nullable Integer running);
}
