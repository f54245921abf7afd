package dev.belay.engine.schedule;

import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.PauseStatements;
import dev.belay.engine.statement.PauseStatements.TriggerControl;
import dev.belay.engine.statement.PauseStatements.TriggerName;
import dev.belay.engine.statement.Transactions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses and resumes single triggers of a workflow. Both may be repeated. */
public final class TriggerPauses {

  private static final Logger log = LoggerFactory.getLogger(TriggerPauses.class);

  private final Transactions transactions;
  private final Hints hints;

  public TriggerPauses(Transactions transactions, Hints hints) {
    this.transactions = transactions;
    this.hints = hints;
  }

  private record Steered(boolean changed, Optional<TriggerControl> control) {}

  /** Skips its instants from now on. Empty when the workflow does not have the trigger. */
  public Optional<TriggerControl> pause(TriggerName trigger, String actor) {
    var done =
        transactions.together(
            statements -> {
              PauseStatements pauses = statements.pauses();
              boolean paused = pauses.pauseTrigger(trigger, actor);
              return new Steered(paused, pauses.findTrigger(trigger));
            });
    return said(done, trigger, actor, "trigger paused");
  }

  /** Fires again; the leader decides by {@code missed} about the instants that it skipped. */
  public Optional<TriggerControl> resume(TriggerName trigger, String actor) {
    var done =
        transactions.together(
            statements -> {
              PauseStatements pauses = statements.pauses();
              boolean resumed = pauses.resumeTrigger(trigger);
              return new Steered(resumed, pauses.findTrigger(trigger));
            });
    if (done.changed()) {
      hints.triggersChanged();
    }
    return said(done, trigger, actor, "trigger resumed");
  }

  private static Optional<TriggerControl> said(
      Steered done, TriggerName trigger, String actor, String what) {
    if (done.changed()) {
      log.atInfo()
          .addKeyValue("tenant", trigger.tenant())
          .addKeyValue("workflow", trigger.workflow())
          .addKeyValue("trigger", trigger.name())
          .addKeyValue("actor", actor)
          .log(what);
    }
    return done.control();
  }
}
