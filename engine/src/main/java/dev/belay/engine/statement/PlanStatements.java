package dev.belay.engine.statement;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What plans do to runs and their tasks. Tasks are locked before runs. */
public interface PlanStatements {

  record NewTask(TaskId id, RunId run, String tenant, Creation creation) {}

  /** Those whose name the run has already are left out; answers how many were created. */
  int insertTasks(List<NewTask> tasks, String actor);

  void setDeadlines(List<Deadline> deadlines);

  Map<TaskId, TaskState> lockTasks(Collection<TaskId> tasks);

  /** Those that were where the move begins. */
  Set<TaskId> moveTasks(List<Move> moves, String actor);

  /** Asks the current attempts of active tasks to end; answers with the workers to be told. */
  Set<WorkerId> abortTasks(Collection<TaskId> tasks, AbortReason reason);

  void lockRuns(Collection<RunId> runs);

  /** QUEUED to RUNNING. */
  void startRuns(Collection<RunId> runs, String actor);

  /** Those that were where the move begins, with nothing open in them. */
  Set<RunId> endRuns(Map<RunId, RunMove> ends, String actor);

  void deleteMarks(Collection<Long> marks);

  /** The runs are planned again with what is true now. */
  void mark(Collection<RunId> runs);

  /** Puts marks behind all others. */
  void postpone(Collection<Long> marks);
}
