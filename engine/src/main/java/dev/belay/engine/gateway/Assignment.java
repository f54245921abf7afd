package dev.belay.engine.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Lease;
import dev.belay.domain.spec.Work;
import dev.belay.protocol.agent.v1.Dispatch;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of a task that its worker is to be told of.
 *
 * @param workflow of its run, if it has one
 */
public record Assignment(
    TaskId task,
    DispatchId dispatch,
    @Nullable RunId run,
    String name,
    String tenant,
    long fence,
    @Nullable String workflow) {

  /**
   * @param work empty when it cannot be read: the worker answers that there is nothing to start
   * @param lease what strictly fenced work runs under
   */
  public Dispatch message(Optional<Work> work, Lease lease) {
    var message =
        Dispatch.newBuilder()
            .setDispatchId(dispatch.toString())
            .setTaskId(task.toString())
            .setRunId(run == null ? "" : run.toString())
            .setTaskName(name)
            .setTenant(tenant)
            .setAttempt((int) fence)
            .setFence(fence)
            .setWorkflow(Objects.requireNonNullElse(workflow, ""));
    work.ifPresent(known -> add(known, lease, message));
    return message.build();
  }

  private static void add(Work work, Lease lease, Dispatch.Builder message) {
    message.addAllArgv(work.argv()).putAllEnv(work.env());
    if (work.script() != null) {
      message.setScript(work.script());
    }
    if (work.policy().executionTimeout() != null) {
      message.setExecutionTimeoutMs(work.policy().executionTimeout().toMillis());
    }
    if (work.policy().isStrict()) {
      message.setLeaseMs(lease.endsAfter().toMillis());
    }
  }
}
