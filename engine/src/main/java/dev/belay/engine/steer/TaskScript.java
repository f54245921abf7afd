package dev.belay.engine.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Graph;
import dev.belay.engine.port.Effects;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.steer.SteerScene.Outcome;
import dev.belay.engine.steer.TaskSteering.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Retries or prioritizes one task in the caller's transaction, as {@link Termination} ends one. */
public final class TaskScript {

  private TaskScript() {}

  /**
   * What was written. The caller counts the effects and sends the hints, after the commit.
   *
   * @param toTell workers that hold an attempt which must end
   * @param changed the leader has something to do
   */
  public record Written(TaskSteer answer, Set<WorkerId> toTell, boolean changed, Effects effects) {

    static Written of(Outcome outcome) {
      WorkerId toTell = outcome.toTell();
      return new Written(
          outcome.answer(),
          toTell == null ? Set.of() : Set.of(toTell),
          outcome.changed(),
          outcome.ended() == null
              ? Effects.NONE
              : Effects.ended(Map.of(outcome.ended(), 1), List.of()));
    }
  }

  /** Runs a task without a run again. */
  public static Written retry(Statements statements, Request request) {
    return Written.of(
        SteerScene.ofTask(statements, request.task(), request.wish())
            .map(TaskSteering::retry)
            .orElseGet(TaskSteering::gone));
  }

  /** Runs a task of a run again. Locks the tasks of the run, then the run. */
  public static Written retry(Statements statements, Request request, RunId run, Graph graph) {
    return Written.of(
        SteerScene.ofRun(statements, request.task(), request.wish(), run, graph)
            .map(TaskSteering::retry)
            .orElseGet(TaskSteering::gone));
  }

  public static Written prioritize(Statements statements, Request request, int priority) {
    return Written.of(
        SteerScene.ofTask(statements, request.task(), request.wish())
            .map(scene -> TaskSteering.prioritize(scene, priority))
            .orElseGet(TaskSteering::gone));
  }
}
