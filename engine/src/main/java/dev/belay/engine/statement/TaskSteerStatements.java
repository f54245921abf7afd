package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.task.TaskState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes that people request for single tasks, and for the tasks around them in a run. */
public interface TaskSteerStatements {

  /**
   * A task, with its current attempt if there is one.
   *
   * @param onlyWaits it was submitted to wait for a time, and has no work
   */
  record SteeredTask(
      RunTask task,
      @Nullable RunId run,
      int priority,
      boolean onlyWaits,
      @Nullable SteeredAttempt attempt) {

    public TaskState state() {
      return task.state();
    }
  }

  /**
   * The current attempt.
   *
   * @param abortReason why it was asked to end before, if it was
   */
  record SteeredAttempt(DispatchId dispatch, WorkerId worker, @Nullable String abortReason) {}

  /** Without a lock. */
  Optional<SteeredTask> find(TaskId task);

  Optional<SteeredTask> lock(TaskId task);

  /** The spec of the run's version as JSON; it never changes. */
  Optional<String> findSpec(RunId run);

  /** In the order of their ids. */
  List<RunTask> lockTasksOfRun(RunId run);

  /**
   * A run under its row lock.
   *
   * @param ending why its tasks must end; null while nothing ends it
   */
  record LockedRun(RunState state, @Nullable AbortReason ending) {}

  /** After its tasks. */
  Optional<LockedRun> lockRun(RunId run);

  /**
   * Begins the next generation of ended tasks, which are locked. Their attempts become past ones.
   *
   * @param to WAITING, or PENDING and due at once
   */
  void reopen(List<RunTask> tasks, TaskState to, String reason, String actor);

  /** Begins the next generation of WAITING tasks, which are locked. */
  void renew(Collection<TaskId> tasks);

  /** Moves an idle task, which is locked, and marks its run; false when it was not so. */
  boolean move(TaskId task, TaskState from, TaskState to, String reason, String actor);

  /** Adds a step to the history of an open task, which is locked and stays in its state. */
  void remark(TaskId task, TaskState state, String reason, String actor);

  /** Sets the priority of an open task, which is locked; with a remark. */
  void prioritize(RunTask task, int priority, String reason, String actor);

  /** Makes an ended run, which is locked, QUEUED in the next generation, and marks it. */
  void requeueRun(RunId run, RunState from, String reason, String actor);
}
