package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table task, with its work. */
final class TaskRow implements Cloneable {
  final TaskId id;
  final String tenant;
  final @Nullable RunId run;
  final String name;
  final int priority;
  final String pool;
  final boolean strict;
  final Instant createdAt;
  TaskState state = TaskState.WAITING;
  String reason = "";
  Instant stateSince = Instant.EPOCH;
  int errorCount;
  int lostCount;
  int crashCount;
  int generation = 1;
  long fencingToken;
  @Nullable Instant notBefore;
  @Nullable Instant leaseEndsAt;
  @Nullable Instant deadlineAt;
  @Nullable DispatchId dispatch;
  @Nullable WorkerId worker;
  @Nullable SessionId session;
  @Nullable Instant dispatchedAt;
  @Nullable Instant startedAt;
  @Nullable Instant endedAt;
  @Nullable Work work;

  TaskRow(
      TaskId id,
      String tenant,
      @Nullable RunId run,
      String name,
      int priority,
      String pool,
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

  TaskRow copy() {
    try {
      return (TaskRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
