package dev.belay.engine.steer;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Retries;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.engine.statement.SteerStatements.Control;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.engine.statement.TaskSteerStatements.LockedRun;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends and unblocks tasks, cancels and retries runs, pauses and resumes workflows, removes workers.
 */
public final class Steering {

  private static final Logger log = LoggerFactory.getLogger(Steering.class);

  private static final String RETRIED = "retried";
  private static final String UNBLOCKED = "unblocked";

  private final Transactions transactions;
  private final Hints hints;
  private final Meters meters;
  private final Duration routableSilence;

  /**
   * @param routableSilence a worker that was silent for longer gets no work, and may be removed
   */
  public Steering(Transactions transactions, Hints hints, Meters meters, Duration routableSilence) {
    this.transactions = transactions;
    this.hints = hints;
    this.meters = meters;
    this.routableSilence = routableSilence;
  }

  /**
   * Ends a task for a reason.
   *
   * @param note why, for the history; empty means none
   */
  public Terminate terminateTask(TaskId id, AbortReason reason, String note, String actor) {
    var abort = new Abort(reason, actor, note);
    var written = transactions.together(statements -> Termination.terminate(statements, id, abort));
    meters.happened(written.effects());
    hint(written.toTell(), written.runChanged());
    return written.answer();
  }

  public Terminate cancelTask(TaskId id, String actor) {
    return terminateTask(id, AbortReason.CANCELLED, "", actor);
  }

  /**
   * Lets a task that waits for a person ask for admission again.
   *
   * @param note why, for the history; empty means none
   */
  public Unblock unblockTask(TaskId id, String note, String actor) {
    var answer = transactions.together(statements -> unblock(statements.steer(), id, note, actor));
    if (answer instanceof Unblock.Done) {
      // The leader admits what is due in a whole tick.
      hints.runChanged();
    }
    return answer;
  }

  private static Unblock unblock(SteerStatements statements, TaskId id, String note, String actor) {
    var locked = statements.lockTask(id);
    if (locked.isEmpty()) {
      return new Unblock.NotFound();
    }
    TaskState state = locked.get().state();
    if (state != TaskState.BLOCKED) {
      return new Unblock.Refused(state);
    }
    var asks = Admission.askAgain(note.isEmpty() ? UNBLOCKED : UNBLOCKED + ": " + note);
    TaskTransitions.require(state, asks.state());
    if (!statements.unblockTask(id, asks.reason(), actor)) {
      throw new IllegalStateException("a locked task changed: " + id);
    }
    return new Unblock.Done();
  }

  /**
   * What was written. The caller sends the hints, after the commit.
   *
   * @param toTell workers that hold an attempt which must end
   */
  public record Cancelled(Cancel answer, Set<WorkerId> toTell, boolean runChanged) {}

  public Cancel cancelRun(RunId id, String actor) {
    var done = transactions.together(statements -> cancelRun(statements.steer(), id, actor));
    hint(done.toTell(), done.runChanged());
    return done.answer();
  }

  /** In the caller's transaction. */
  public static Cancelled cancelRun(SteerStatements statements, RunId id, String actor) {
    RunCancel cancel = RunCancel.request(statements, id, actor);
    if (cancel.first()) {
      return new Cancelled(new Cancel.Asked(), cancel.toTell(), true);
    }
    Cancel answer =
        statements
            .findRunState(id)
            .<Cancel>map(
                state -> state.isTerminal() ? new Cancel.AlreadyOver(state) : new Cancel.Asked())
            .orElseGet(Cancel.NotFound::new);
    return new Cancelled(answer, cancel.toTell(), false);
  }

  private void hint(Set<WorkerId> toTell, boolean runChanged) {
    toTell.forEach(hints::mailbox);
    if (runChanged) {
      hints.runChanged();
    }
  }

  /** Retries the failed tasks once it is the run's turn. */
  public RunRetry retryRun(RunId id, String actor) {
    var answer = transactions.together(statements -> retryRun(statements, id, actor));
    if (answer instanceof RunRetry.Done) {
      hints.runChanged();
    }
    return answer;
  }

  /** In the caller's transaction. Tasks are locked before the run. */
  public static RunRetry retryRun(Statements all, RunId run, String actor) {
    // First without locks: the tasks of an open run are busy, and the answer is no anyway.
    var seen = all.steer().findRunState(run);
    if (seen.isEmpty() || !isRetried(seen.get())) {
      return refused(seen);
    }
    TaskSteerStatements statements = all.taskSteer();
    List<RunTask> tasks = statements.lockTasksOfRun(run);
    var state = statements.lockRun(run).map(LockedRun::state);
    if (state.isEmpty() || !isRetried(state.get())) {
      return refused(state);
    }
    List<RunTask> reset =
        tasks.stream().filter(task -> Retries.resets(task.state(), task.settled())).toList();
    reset.forEach(task -> TaskTransitions.require(task.state(), TaskState.WAITING));
    if (!reset.isEmpty()) {
      statements.reopen(reset, TaskState.WAITING, RETRIED, actor);
    }
    RunTransitions.require(state.get(), RunState.QUEUED);
    statements.requeueRun(run, state.get(), RETRIED, actor);
    return new RunRetry.Done(reset.size());
  }

  private static boolean isRetried(RunState state) {
    return switch (state) {
      case FAILED, CANCELLED -> true;
      case QUEUED, RUNNING, SUCCEEDED -> false;
    };
  }

  private static RunRetry refused(Optional<RunState> state) {
    return state.<RunRetry>map(RunRetry.Refused::new).orElseGet(RunRetry.NotFound::new);
  }

  private record Steered(boolean changed, Optional<Control> control) {}

  /** Stops runs from starting; running ones continue. Empty when there is no such workflow. */
  public Optional<Control> pause(String tenant, String workflow, String actor) {
    var done =
        transactions.together(
            statements ->
                new Steered(
                    statements.steer().pause(tenant, workflow, actor),
                    statements.steer().findControl(tenant, workflow)));
    return said(done, tenant, workflow, actor, "workflow paused");
  }

  public Optional<Control> resume(String tenant, String workflow, String actor) {
    var done = transactions.together(statements -> resume(statements, tenant, workflow));
    hints.runChanged();
    if (done.changed()) {
      hints.triggersChanged();
    }
    return said(done, tenant, workflow, actor, "workflow resumed");
  }

  private static Steered resume(Statements statements, String tenant, String workflow) {
    var pausedAt = statements.steer().resume(tenant, workflow);
    if (pausedAt.isPresent()) {
      statements.pauses().replayTriggers(tenant, workflow, pausedAt.get());
      RunQueue.ofWritten(statements, tenant, workflow).release();
    }
    return new Steered(pausedAt.isPresent(), statements.steer().findControl(tenant, workflow));
  }

  private static Optional<Control> said(
      Steered done, String tenant, String workflow, String actor, String what) {
    if (done.changed()) {
      log.atInfo()
          .addKeyValue("tenant", tenant)
          .addKeyValue("workflow", workflow)
          .addKeyValue("actor", actor)
          .log(what);
    }
    return done.control();
  }

  /** Deletes a worker; the tasks that it still held end {@code worker_gone}. */
  public Removal removeWorker(WorkerId id) {
    return transactions.together(
        statements -> {
          if (statements.steer().removeWorker(id, routableSilence)) {
            return Removal.REMOVED;
          }
          return statements.steer().isKnown(id) ? Removal.ALIVE : Removal.NOT_FOUND;
        });
  }
}
