package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.Abort;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table task, with its work and its current or last attempt. */
final class TaskRow implements Cloneable {
  final TaskId id;
  final String tenant;
  final @Nullable RunId run;
  final String name;
  final @Nullable String pool;
  final boolean strict;
  final Instant createdAt;
  int priority;
  TaskState state = TaskState.WAITING;
  String reason = "";
  Instant stateSince = Instant.EPOCH;
  int errorCount;
  int lostCount;
  int crashCount;
  int unavailableCount;
  int dispatchFailedCount;
  int generation = 1;
  long fencingToken;
  @Nullable Instant notBefore;
  @Nullable Instant leaseEndsAt;
  @Nullable Instant deadlineAt;
  @Nullable Instant endedAt;
  @Nullable Work work;
  @Nullable QueueId queue;

  /** Who submitted it; null when its creation is a step. */
  @Nullable String createdBy;

  // The attempt: null before the first one, and after a reset.
  @Nullable DispatchId dispatch;
  @Nullable WorkerId worker;
  @Nullable String dispatchedPool;
  @Nullable SessionId session;
  @Nullable Long epoch;
  @Nullable Instant dispatchedAt;
  @Nullable Instant startedAt;
  @Nullable Instant attemptEndedAt;
  @Nullable String endReason;
  @Nullable Integer exitCode;
  @Nullable Integer signal;
  @Nullable String detail;
  @Nullable Abort abort;
  @Nullable Instant abortAt;
  @Nullable String lateOutcome;
  @Nullable Long outputLost;

  TaskRow(
      TaskId id,
      String tenant,
      @Nullable RunId run,
      String name,
      int priority,
      @Nullable String pool,
      boolean strict,
      Instant createdAt) {
    this.id = id;
    this.tenant = tenant;
    this.run = run;
    this.name = name;
    this.priority = priority;
    this.pool = pool;
    this.strict = strict;
    this.createdAt = createdAt;
  }

  /** The column not_before of a task that waits from now on. */
  static @Nullable Instant notBefore(@Nullable DueTime timer, Instant now) {
    if (timer == null) {
      return null;
    }
    return timer.after() == null ? timer.at() : now.plusMillis(timer.after().toMillis());
  }

  void clearAttempt() {
    dispatch = null;
    worker = null;
    session = null;
    epoch = null;
    dispatchedAt = null;
    startedAt = null;
    attemptEndedAt = null;
    endReason = null;
    exitCode = null;
    signal = null;
    detail = null;
    abort = null;
    abortAt = null;
    lateOutcome = null;
    outputLost = null;
  }

  @Nullable String abortReason() {
    return abort == null ? null : abort.reason().word();
  }

  TaskRow copy() {
    try {
      return (TaskRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
