package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table run. */
final class RunRow implements Cloneable {
  final RunId id;
  final String tenant;
  final WorkflowId workflowId;
  final String workflow;
  final String params;
  final Instant createdAt;
  RunState state = RunState.QUEUED;
  @Nullable String reason;
  int generation = 1;
  @Nullable Instant startedAt;
  @Nullable Instant endedAt;
  @Nullable Instant cancelRequestedAt;
  @Nullable Instant orphanNotedAt;

  RunRow(
      RunId id,
      String tenant,
      WorkflowId workflowId,
      String workflow,
      String params,
      Instant createdAt) {
    this.id = id;
    this.tenant = tenant;
    this.workflowId = workflowId;
    this.workflow = workflow;
    this.params = params;
    this.createdAt = createdAt;
  }

  WorkflowName name() {
    return new WorkflowName(tenant, workflow);
  }

  boolean isOf(WorkflowName name) {
    return workflow.equals(name.name()) && tenant.equals(name.tenant());
  }

  boolean isOpen() {
    return !state.isTerminal();
  }

  RunRow copy() {
    try {
      return (RunRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
