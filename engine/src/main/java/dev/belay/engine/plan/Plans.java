package dev.belay.engine.plan;

import dev.belay.domain.id.QueueId;
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

public interface Plans {

  /**
   * Writes all plans and deletes the marks in one transaction under the epoch lock. Skips a move
   * whose task has left the expected state, and marks its run again. Skips a QUEUED run whose turn
   * has not come (its workflow is paused, or has {@code max_active} RUNNING runs): it waits without
   * a mark until it is released, which marks it.
   */
  Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks);

  /** Puts marks behind all others, so that a run that cannot be planned does not delay the rest. */
  void postpone(Epoch epoch, Collection<Long> marks);

  /** Whether the database will never accept this write: its content is wrong, not the moment. */
  boolean isRefused(RuntimeException failure);

  /**
   * @param newTasks an id for each creation, in order
   */
  record PlannedRun(StoredRun run, Plan plan, List<TaskId> newTasks) {}

  /**
   * @param toAbort workers that hold a dispatch which must end
   * @param ended runs that ended, with their state
   * @param released held QUEUED runs that are marked now
   * @param queues in which tasks may be SCHEDULED now
   */
  record Applied(
      Effects effects,
      Set<WorkerId> toAbort,
      Map<RunId, RunState> ended,
      int lostMoves,
      int released,
      Set<QueueId> queues) {}
}
