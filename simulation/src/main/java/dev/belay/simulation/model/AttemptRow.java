package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table attempt. */
final class AttemptRow implements Cloneable {
  final DispatchId dispatch;
  final TaskId task;
  final int number;
  final int generation;
  final WorkerId worker;
  final long epoch;
  final Instant dispatchedAt;
  @Nullable SessionId session;
  @Nullable Instant startedAt;
  @Nullable Instant endedAt;
  @Nullable String endReason;
  @Nullable Integer exitCode;
  @Nullable Integer signal;
  @Nullable String detail;
  @Nullable String abortReason;
  @Nullable String lateOutcome;

  AttemptRow(
      DispatchId dispatch,
      TaskId task,
      int number,
      int generation,
      WorkerId worker,
      long epoch,
      Instant dispatchedAt) {
    this.dispatch = dispatch;
    this.task = task;
    this.number = number;
    this.generation = generation;
    this.worker = worker;
    this.epoch = epoch;
    this.dispatchedAt = dispatchedAt;
  }

  /** The first abort reason stays. */
  boolean isAbortable() {
    return abortReason == null && endedAt == null;
  }

  AttemptRow copy() {
    try {
      return (AttemptRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
