package dev.belay.engine.plan;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.run.RunState;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.StoredRun;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes plans. */
public interface Plans {

  /**
   * Writes all plans and deletes the marks in one transaction under the epoch lock. A move whose
   * task is no longer where the plan saw it is not made, and marks its run again. Nothing is done
   * for a QUEUED run whose turn it is not (its workflow is paused, or has as many RUNNING runs as
   * it may): it waits without a mark until it is released, and then is marked.
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

  /**
   * @param newTasks an id for each creation, in order
   */
  record PlannedRun(StoredRun run, Plan plan, List<TaskId> newTasks) {}

  /**
   * @param toAbort workers that hold a dispatch which must end
   * @param ended runs that reached their end, with the state
   * @param released QUEUED runs that were held and are marked now
   */
  record Applied(
      Effects effects,
      Set<WorkerId> toAbort,
      Map<RunId, RunState> ended,
      int lostMoves,
      int released) {}
}
