package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the store says, for those who check it. */
public interface Observed {

  record TaskChange(
      long id,
      TaskId task,
      @Nullable RunId run,
      @Nullable TaskState from,
      TaskState to,
      String reason,
      @Nullable DispatchId dispatch,
      Instant at) {}

  /** Something was found and recovered. */
  record Recovery(
      long id,
      RecoveryKind kind,
      @Nullable TaskId task,
      Duration sinceLastSign,
      Duration promised) {}

  record RunChange(long id, RunId run, @Nullable RunState from, RunState to) {}

  record TaskNow(TaskId id, TaskState state) {}

  /**
   * @param lateOutcome what came when the attempt was over
   */
  record Attempt(
      DispatchId dispatch,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Integer exitCode,
      @Nullable String lateOutcome) {

    public boolean ended() {
      return endedAt != null;
    }
  }

  /**
   * The changes of each task in the order in which they were made. Tasks are in the order of their
   * ids: in which order one statement changed several is the database's own affair.
   */
  List<TaskChange> taskChangesAfter(long id);

  List<RunChange> runChangesAfter(long id);

  List<TaskNow> tasks(Collection<TaskId> tasks);

  List<Attempt> attempts(Collection<DispatchId> dispatches);

  /**
   * Attempts that are open and not the current one of an active task, or the other way round, or
   * that a deposed leader made.
   */
  List<String> oddAttempts();

  /**
   * Tasks that nobody will cancel: idle, in a run that is to be cancelled and not to be planned.
   */
  List<String> forgottenByCancel();

  List<Recovery> recoveriesAfter(long id);

  /** Workflows that have more RUNNING runs than they may. */
  List<String> overLimit();

  /** Committed writes of a leader whose epoch was over; empty where that cannot be seen. */
  List<String> writesOfDeposed();

  /** Tasks, runs and marks that still wait for something. */
  List<String> unfinished();
}
