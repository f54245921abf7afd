package dev.belay.engine.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.SteerStatements;
import java.util.List;
import java.util.Set;

/**
 * Requests the cancel of a run, in the caller's transaction. The planner cancels its idle tasks;
 * its attempts are asked to end at once.
 *
 * @param first false when that was requested before, or the run is over or has timed out
 * @param toTell workers that hold an attempt which must end
 */
public record RunCancel(boolean first, Set<WorkerId> toTell) {

  /**
   * Tasks are locked before their run. Attempts get the reason only behind both locks: when the run
   * times out meanwhile, they end for that. The plan asks attempts that begin meanwhile.
   */
  public static RunCancel request(SteerStatements statements, RunId run, String actor) {
    List<TaskId> locked = statements.lockDispatchesOfRun(run);
    boolean first = statements.requestCancel(run, actor);
    return new RunCancel(
        first,
        statements.abortDispatchesOfRun(run, locked, Abort.of(AbortReason.CANCELLED, actor)));
  }
}
