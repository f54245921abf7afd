package dev.belay.engine.port;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.task.TaskState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What planning reads and writes. */
public interface PlanStore {

  /**
   * The oldest marks. Read before the runs they name: a mark that comes later stays for the next
   * plan.
   */
  default List<Mark> readMarks(int max) {
    return readMarks(max, List.of());
  }

  /**
   * @param except runs whose marks are left out
   */
  List<Mark> readMarks(int max, Collection<RunId> except);

  List<StoredRun> readRuns(Collection<RunId> runs);

  /** The spec of a workflow version as JSON. */
  String readSpec(WorkflowId workflow);

  /**
   * Writes all plans and deletes the marks in one transaction under the fence. A move whose task is
   * no longer where the plan saw it is not made, and marks its run again. Nothing is done for a
   * QUEUED run whose turn it is not (its workflow is paused, or has as many RUNNING runs as it
   * may): it waits without a mark until it is released, and then is marked.
   */
  Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks);

  /**
   * Puts marks behind all others, so that a run that cannot be planned does not hold up the rest.
   */
  void postpone(Epoch epoch, Collection<Long> marks);

  /**
   * True when the database will never take what failed so: its content is wrong, not the moment.
   */
  boolean isRefused(RuntimeException failure);

  /** "This run changed". */
  record Mark(long id, RunId run) {}

  /** A run with its tasks, as the database has it. */
  record StoredRun(RunId id, String tenant, WorkflowId workflow, RunView view) {}

  /**
   * @param newTasks an id for each creation, in order
   */
  record PlannedRun(StoredRun run, Plan plan, List<TaskId> newTasks) {}

  /**
   * @param created tasks that were created
   * @param tasksEnded how many tasks reached a terminal state, by state
   * @param toAbort workers that hold a dispatch which must end
   * @param ended runs that reached their end, by state
   * @param released QUEUED runs that were held and are marked now
   */
  record Applied(
      int created,
      Map<TaskState, Integer> tasksEnded,
      Set<WorkerId> toAbort,
      Map<RunId, String> ended,
      int lostMoves,
      int released) {}
}
