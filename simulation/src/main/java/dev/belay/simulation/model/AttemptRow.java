package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table past_attempt. The view attempt shows the current attempt in the same shape.
 */
final class AttemptRow implements Cloneable {
  final TaskId task;
  final int number;
  final int generation;
  final DispatchId dispatch;
  final WorkerId worker;
  final SessionId session;
  final long epoch;
  final Instant dispatchedAt;
  final @Nullable Instant startedAt;
  final @Nullable Instant endedAt;
  final @Nullable String endReason;
  final @Nullable Integer exitCode;
  final @Nullable Integer signal;
  final @Nullable String detail;
  final @Nullable String abortReason;
  @Nullable String lateOutcome;
  @Nullable Long outputLost;

  /** The attempt that the task's row holds. */
  AttemptRow(TaskRow row) {
    this.task = row.id;
    this.number = Math.toIntExact(row.fencingToken);
    this.generation = row.generation;
    this.dispatch = requireNonNull(row.dispatch);
    this.worker = requireNonNull(row.worker);
    this.session = requireNonNull(row.session);
    this.epoch = requireNonNull(row.epoch);
    this.dispatchedAt = requireNonNull(row.dispatchedAt);
    this.startedAt = row.startedAt;
    this.endedAt = row.attemptEndedAt;
    this.endReason = row.endReason;
    this.exitCode = row.exitCode;
    this.signal = row.signal;
    this.detail = row.detail;
    this.abortReason = row.abortReason();
    this.lateOutcome = row.lateOutcome;
    this.outputLost = row.outputLost;
  }

  AttemptRow copy() {
    try {
      return (AttemptRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
