package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes that people request for accepted work. */
public interface SteerStatements {

  /**
   * A task under its row lock.
   *
   * @param abort the request to end its current or last attempt, and its time, if known
   */
  record LockedTask(
      TaskState state,
      @Nullable RunId run,
      @Nullable DispatchId dispatch,
      @Nullable WorkerId worker,
      @Nullable Abort abort,
      @Nullable Instant abortedAt) {}

  Optional<LockedTask> lockTask(TaskId task);

  /** Ends or parks an idle task, and marks its run; false when it is in another state. */
  boolean stopTask(TaskId task, TaskState from, TaskState to, Abort abort);

  /**
   * Makes a BLOCKED task PENDING and due, with all its retries for what is unavailable; false when
   * it is not BLOCKED.
   */
  boolean unblockTask(TaskId task, String reason, String actor);

  /** Asks the attempt to end; an earlier reason stays. */
  void abortDispatch(AttemptKey attempt, Abort abort);

  /** Locks the tasks of a run that have an attempt, and returns them. */
  List<TaskId> lockDispatchesOfRun(RunId run);

  /** Asks attempts of an open run to end; returns the workers to notify. */
  Set<WorkerId> abortDispatchesOfRun(RunId run, List<TaskId> locked, Abort abort);

  /** Has the planner cancel an open run; false when that was requested before, or it is over. */
  boolean requestCancel(RunId run, String actor);

  Optional<RunState> findRunState(RunId run);

  /**
   * The controls in force for a workflow.
   *
   * @param maxActive null means no limit
   */
  record Control(
      String tenant,
      String name,
      boolean paused,
      @Nullable Instant pausedAt,
      @Nullable String pausedBy,
      @Nullable Integer maxActive) {}

  Optional<Control> findControl(String tenant, String workflow);

  /** False when it was already paused, or does not exist. */
  boolean pause(String tenant, String workflow, String actor);

  /** Since when it was paused; empty when it was not. */
  Optional<Instant> resume(String tenant, String workflow);

  /** Deletes a worker that is disconnected, or silent for this long. */
  boolean removeWorker(WorkerId worker, Duration silence);

  boolean isKnown(WorkerId worker);

  /** False when the worker has no key. */
  boolean revokeKey(WorkerId worker, String actor);

  /** Revokes the rights of the worker's registered connection. */
  void cutWorker(WorkerId worker);

  /** False when the worker has no key. */
  boolean forgetKey(WorkerId worker);

  /** At most {@code max} workers that report this name. */
  List<WorkerId> findWorkersNamed(String name, int max);
}
