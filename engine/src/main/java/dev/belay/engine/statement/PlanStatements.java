package dev.belay.engine.statement;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes of plans. Tasks are locked before runs. */
public interface PlanStatements {

  record NewTask(TaskId id, RunId run, String tenant, Creation creation) {}

  /**
   * Skips names that the run already has; returns how many it created.
   *
   * @param queues the id of each task queue of a task that is ready
   */
  int insertTasks(List<NewTask> tasks, Map<TaskQueue, QueueId> queues, String actor);

  void setDeadlines(List<Deadline> deadlines);

  Map<TaskId, TaskState> lockTasks(Collection<TaskId> tasks);

  /** Moves tasks that keep their task queue. */
  default Set<TaskId> moveTasks(List<Move> moves, String actor) {
    return moveTasks(moves, Map.of(), actor);
  }

  /**
   * Returns the tasks that were in the expected state.
   *
   * @param queues the id of each task queue of a task that becomes ready; other tasks keep theirs
   */
  Set<TaskId> moveTasks(List<Move> moves, Map<TaskQueue, QueueId> queues, String actor);

  /** Asks the current attempts of active tasks to end; returns the workers to notify. */
  Set<WorkerId> abortTasks(Collection<TaskId> tasks, Abort abort);

  void lockRuns(Collection<RunId> runs);

  /**
   * A run that starts.
   *
   * @param timeout how long it may be RUNNING; null means no limit
   */
  record Start(RunId run, @Nullable Duration timeout) {}

  /** QUEUED to RUNNING. */
  void startRuns(List<Start> runs, String actor);

  /**
   * Returns the runs that were in the expected state, with no open task and no other mark.
   *
   * @param marks those that the plans have seen; null when no plan decides these ends
   */
  Set<RunId> endRuns(Map<RunId, RunMove> ends, @Nullable Collection<Long> marks, String actor);

  void deleteMarks(Collection<Long> marks);

  /** Has the runs planned again from their current state. */
  void mark(Collection<RunId> runs);

  /** Puts marks behind all others. */
  void postpone(Collection<Long> marks);
}
