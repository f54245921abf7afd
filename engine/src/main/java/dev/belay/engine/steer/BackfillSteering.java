package dev.belay.engine.steer;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.engine.statement.Transactions;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses, resumes and cancels backfills. */
public final class BackfillSteering {

  private static final Logger log = LoggerFactory.getLogger(BackfillSteering.class);

  private final Transactions transactions;
  private final Steering runs;
  private final Hints hints;

  public BackfillSteering(Transactions transactions, Steering runs, Hints hints) {
    this.transactions = transactions;
    this.runs = runs;
    this.hints = hints;
  }

  /** It creates no runs until it is resumed; its runs continue. */
  public BackfillSteer pause(BackfillId id, String actor) {
    var answer =
        change(id, BackfillState.PAUSED, backfills -> backfills.pause(id, "paused by " + actor));
    return said(answer, id, actor, "backfill paused");
  }

  public BackfillSteer resume(BackfillId id, String actor) {
    var answer = change(id, BackfillState.RUNNING, backfills -> backfills.resume(id));
    hints.triggersChanged();
    return said(answer, id, actor, "backfill resumed");
  }

  /** Refuses when it is over: the caller wanted it to continue or to wait. */
  private BackfillSteer change(
      BackfillId id, BackfillState to, Predicate<BackfillStatements> change) {
    return transactions.together(
        statements -> {
          BackfillStatements backfills = statements.backfills();
          if (change.test(backfills)) {
            return new BackfillSteer.Done(to, 0);
          }
          return backfills
              .findState(id)
              .<BackfillSteer>map(
                  state ->
                      state == to
                          ? new BackfillSteer.Done(to, 0)
                          : new BackfillSteer.Refused(state))
              .orElseGet(BackfillSteer.NotFound::new);
        });
  }

  /**
   * Once this returns, no further run of it starts: starts take the lock of the workflow's control
   * row, and compare the cancel requests of runs behind it.
   *
   * @param alsoRunning asks its RUNNING runs to end, too
   */
  public BackfillSteer cancel(BackfillId id, boolean alsoRunning, String actor) {
    BackfillSteer answer =
        transactions.together(statements -> cancel(statements.backfills(), id, actor));
    hints.runChanged();
    if (!(answer instanceof BackfillSteer.Done(var state, var queued))) {
      return answer;
    }
    int asked = alsoRunning ? Math.max(queued, cancelRuns(id, actor)) : queued;
    return said(new BackfillSteer.Done(state, asked), id, actor, "backfill cancelled");
  }

  private int cancelRuns(BackfillId id, String actor) {
    int asked = 0;
    for (RunId run : transactions.each(statements -> statements.backfills().readOpen(id))) {
      asked += runs.cancelRun(run, actor) instanceof Cancel.Asked ? 1 : 0;
    }
    return asked;
  }

  private static BackfillSteer cancel(BackfillStatements backfills, BackfillId id, String actor) {
    if (!backfills.lockWorkflow(id)) {
      return new BackfillSteer.NotFound();
    }
    backfills.cancel(id, "cancelled by " + actor);
    var state = backfills.findState(id).orElseThrow();
    return switch (state) {
      case CANCELLED -> new BackfillSteer.Done(state, backfills.cancelQueued(id, actor));
      case COMPLETED -> new BackfillSteer.Refused(state);
      case RUNNING, PAUSED -> throw new IllegalStateException("not cancelled: " + id);
    };
  }

  private static BackfillSteer said(
      BackfillSteer answer, BackfillId id, String actor, String what) {
    if (answer instanceof BackfillSteer.Done) {
      log.atInfo().addKeyValue("backfill", id).addKeyValue("actor", actor).log(what);
    }
    return answer;
  }
}
