package dev.belay.engine.steer;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.port.Effects;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements.LockedTask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Ends one task for a reason, in the caller's transaction. An idle task changes at once. An attempt
 * is only asked to end: its worker still holds it, and its slot, until the outcome is written. The
 * first reason of an attempt stays, so a second request changes nothing and is told which one is in
 * force.
 */
public final class Termination {

  private Termination() {}

  /**
   * What was written. The caller counts the effects and sends the hints, after the commit.
   *
   * @param toTell workers that hold an attempt which must end
   * @param runChanged the run of the task was marked
   */
  public record Written(
      Terminate answer, Set<WorkerId> toTell, boolean runChanged, Effects effects) {

    static Written nothing(Terminate answer) {
      return new Written(answer, Set.of(), false, Effects.NONE);
    }
  }

  public static Written terminate(Statements statements, TaskId id, Abort abort) {
    Optional<LockedTask> locked = statements.steer().lockTask(id);
    return locked.isEmpty()
        ? Written.nothing(new Terminate.NotFound())
        : terminate(statements, id, locked.get(), abort);
  }

  /** Under the lock of the task. */
  public static Written terminate(
      Statements statements, TaskId id, LockedTask locked, Abort abort) {
    return switch (locked.state().kind()) {
      case IDLE -> stop(statements, id, locked, abort);
      case ACTIVE -> ask(statements, id, locked, abort);
      case TERMINAL -> Written.nothing(new Terminate.AlreadyOver(locked.state()));
    };
  }

  private static Written stop(Statements statements, TaskId id, LockedTask locked, Abort abort) {
    Optional<TaskState> to = abort.reason().appliesTo(locked.state());
    if (to.isEmpty()) {
      return Written.nothing(new Terminate.NothingToDo(locked.state()));
    }
    TaskTransitions.require(locked.state(), to.get());
    if (!statements.steer().stopTask(id, locked.state(), to.get(), abort)) {
      throw new IllegalStateException("a locked task changed: " + id);
    }
    Map<String, Integer> alerts = alert(statements, id, abort.reason());
    Map<TaskState, Integer> ended = to.get().isTerminal() ? Map.of(to.get(), 1) : Map.of();
    return new Written(
        new Terminate.Done(to.get()),
        Set.of(),
        locked.run() != null,
        Effects.ended(ended, List.of()).withAlerts(alerts));
  }

  /**
   * Raises the alert of a task that ends for this reason.
   *
   * @return how many were raised, by kind
   */
  public static Map<String, Integer> alert(Statements statements, TaskId id, AbortReason reason) {
    return reason.raisesAlert()
            && statements.reap().alert(reason.word(), "task " + id + " is " + reason.leadsTo())
        ? Map.of(reason.word(), 1)
        : Map.of();
  }

  /** Repeats the hint for a second request: the first one may have been lost. */
  private static Written ask(Statements statements, TaskId id, LockedTask locked, Abort abort) {
    var dispatch = requireNonNull(locked.dispatch());
    statements.steer().abortDispatch(new AttemptKey(id, dispatch), abort);
    Abort before = locked.abort();
    Terminate answer =
        before == null
            ? new Terminate.Asked(dispatch)
            : new Terminate.AlreadyAsked(
                dispatch, before.reason(), before.by(), locked.abortedAt());
    return new Written(answer, Set.of(requireNonNull(locked.worker())), false, Effects.NONE);
  }
}
