package dev.belay.simulation.model;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.statement.ScheduleStatements.Cause;
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
  Instant logicalDate;
  RunState state = RunState.QUEUED;
  @Nullable String reason;
  int generation = 1;
  @Nullable Instant startedAt;
  @Nullable Instant endedAt;
  @Nullable Instant cancelRequestedAt;
  @Nullable Instant timeoutAt;
  @Nullable Instant timedOutAt;
  @Nullable Instant deadlineAt;
  @Nullable Instant deadlineAlertedAt;
  @Nullable Instant orphanNotedAt;
  boolean counted = true;
  @Nullable Cause cause;

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
    this.logicalDate = createdAt;
  }

  /** How many runs, one the cause of the next, led to this one. */
  int depth() {
    return cause == null ? 0 : cause.depth();
  }

  WorkflowName name() {
    return new WorkflowName(tenant, workflow);
  }

  boolean isOf(WorkflowName name) {
    return workflow.equals(name.name()) && tenant.equals(name.tenant());
  }

  boolean isOfBackfill(BackfillId backfill) {
    return cause != null && backfill.equals(cause.backfill());
  }

  /** Why its tasks must end. */
  @Nullable AbortReason ending() {
    if (cancelRequestedAt != null) {
      return AbortReason.CANCELLED;
    }
    return timedOutAt == null ? null : AbortReason.RUN_TIMEOUT;
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
