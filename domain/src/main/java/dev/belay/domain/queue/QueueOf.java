package dev.belay.domain.queue;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.WorkflowSpec;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The task queue of a task: the only place that builds one. */
public final class QueueOf {

  private QueueOf() {}

  /** For a task of a workflow. */
  public static TaskQueue task(WorkflowSpec workflow, TaskSpec task) {
    return of(workflow.tenant(), workflow.name(), task.pool(), task.policy());
  }

  /** For a task without a run. */
  public static TaskQueue alone(String tenant, String pool, RunPolicy policy) {
    return of(tenant, null, pool, policy);
  }

  private static TaskQueue of(
      String tenant, @Nullable String workflow, String pool, RunPolicy policy) {
    var placement =
        new Placement(
            null, pool, new TreeSet<>(), Map.of(), null, Size.ONE_SLOT, policy.executionTimeout());
    return new TaskQueue(tenant, workflow, placement, null, null);
  }
}
