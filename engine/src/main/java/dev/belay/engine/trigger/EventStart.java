package dev.belay.engine.trigger;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerSpec.OnEvent;
import dev.belay.domain.trigger.EventExpressions;
import dev.belay.domain.trigger.SkipReason;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.EventKey;
import dev.belay.engine.port.EventReads.Waiter;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.port.TriggerTarget.Limit;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.statement.EventStatements.Decided;
import dev.belay.engine.statement.EventStatements.Open;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.trigger.ChainPhase.Starts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns events that passed into runs, and writes what became of events. */
public final class EventStart {

  /** In the column {@code created_by} of its runs. */
  public static final String ACTOR = "event";

  static final String FAILED = "trigger_failed";

  private final Transactions transactions;
  private final ChoiceWriter writer;
  private final Starts starts;
  private final EventExpressions expressions;
  private final Hints hints;
  private final Meters meters;
  private final TriggerMeters triggerMeters;

  public EventStart(
      Transactions transactions,
      Starts starts,
      EventExpressions expressions,
      Hints hints,
      Meters meters,
      TriggerMeters triggerMeters) {
    this.transactions = transactions;
    this.writer = new ChoiceWriter(transactions);
    this.starts = starts;
    this.expressions = expressions;
    this.hints = hints;
    this.meters = meters;
    this.triggerMeters = triggerMeters;
  }

  int depthMax() {
    return starts.depthMax();
  }

  OnEvent trigger(Waiter waiter) {
    if (starts.decode().apply(waiter.spec()) instanceof OnEvent trigger) {
      return trigger;
    }
    throw new IllegalStateException("the trigger does not wait for an event");
  }

  /**
   * An event, or the newest one of a window, that starts a run.
   *
   * @param depth of the run
   * @param given parameters
   */
  public record Passed(
      Waiter waiter, EventKey key, Instant receivedAt, int depth, Map<String, Object> given) {}

  static Map<String, Object> templates(OnEvent trigger) {
    return trigger.params().entrySet().stream()
        .filter(param -> param.getValue() instanceof Template)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Only on a thread that may compute, if there are templates. */
  Given given(OnEvent trigger, List<String> events) {
    if (templates(trigger).isEmpty()) {
      return new Given.Values(trigger.params());
    }
    try {
      return new Given.Values(expressions.params(trigger.params(), events));
    } catch (ExpressionFailed failed) {
      return new Given.Refused(EventPhase.why(failed));
    }
  }

  /** Leaves out events for whose parameters there is no room now. */
  List<Choice<EventKey>> choose(List<Passed> passed) {
    List<Choice<EventKey>> choices = new ArrayList<>();
    List<Passed> ready = new ArrayList<>();
    List<RunParams.Request> requests = new ArrayList<>();
    for (Passed event : passed) {
      WorkflowId version = event.waiter().target().version();
      if (version == null) {
        choices.add(Choice.skip(event.key(), SkipReason.DELETED));
      } else {
        ready.add(event);
        requests.add(request(event, version));
      }
    }
    List<RunParams.Answer> answers =
        requests.isEmpty() ? List.of() : starts.params().resolve(requests);
    for (int i = 0; i < answers.size(); i++) {
      Passed event = ready.get(i);
      switch (answers.get(i)) {
        case RunParams.Answer.Busy() -> {}
        case RunParams.Answer.Refused(var why) ->
            choices.add(Choice.skip(event.key(), SkipReason.PARAMS, why));
        case RunParams.Answer.Resolved(var json) ->
            choices.add(Choice.start(event.key(), run(event, requests.get(i), json), limit(event)));
      }
    }
    return choices;
  }

  private RunParams.Request request(Passed event, WorkflowId version) {
    var target = event.waiter().target();
    return new RunParams.Request(
        version,
        event.given(),
        new RunParams.Facts(
            new RunId(starts.ids().next()),
            target.workflow().tenant(),
            target.workflow().name(),
            event.receivedAt(),
            target.now()));
  }

  private static NewRun run(Passed event, RunParams.Request request, String params) {
    RunParams.Facts facts = request.facts();
    return new NewRun(
        facts.run(),
        facts.tenant(),
        request.version(),
        facts.workflow(),
        params,
        facts.logicalDate(),
        limit(event).counts(),
        new Cause(event.key().trigger(), null, null, event.key().event(), event.depth()));
  }

  private static Limit limit(Passed event) {
    return event.waiter().target().limit();
  }

  void write(Epoch epoch, List<Choice<EventKey>> choices, Open open) {
    writer.writeEach(
        choices,
        some -> told(transactions.asLeader(epoch, statements -> write(statements, some, open))));
  }

  /** Only if every event of the window still waits: a window is one decision. */
  void writeWindow(Epoch epoch, List<Choice<EventKey>> choices) {
    writer.writeWhole(choices, whole -> writeWhole(epoch, whole));
  }

  private void writeWhole(Epoch epoch, List<Choice<EventKey>> choices) {
    told(
        transactions.asLeader(
            epoch,
            statements -> {
              RunStarter starter = RunStarter.of(statements, ACTOR, choices);
              List<EventKey> keys = choices.stream().map(Choice::key).toList();
              return statements.events().lock(keys, Open.WAITING).size() == keys.size()
                  ? decide(statements, starter, choices, Open.WAITING)
                  : Written.nothing();
            }));
  }

  private static Written<Decided> write(
      Statements statements, List<Choice<EventKey>> choices, Open open) {
    RunStarter starter = RunStarter.of(statements, ACTOR, choices);
    Set<EventKey> locked =
        statements.events().lock(choices.stream().map(Choice::key).toList(), open);
    List<Choice<EventKey>> still = Choice.open(choices, locked);
    return still.isEmpty() ? Written.nothing() : decide(statements, starter, still, open);
  }

  private static Written<Decided> decide(
      Statements statements, RunStarter starter, List<Choice<EventKey>> choices, Open open) {
    starter.start(choices);
    List<Decided> decided =
        choices.stream()
            .map(choice -> new Decided(choice.key(), starter.after(choice.verdict())))
            .toList();
    statements.events().decide(decided, open);
    return Written.of(decided, starter).withAlerts(alert(statements, decided));
  }

  /** A text without details, so each trigger has at most one alert at a time. */
  private static int alert(Statements statements, List<Decided> decided) {
    return (int)
        decided.stream()
            .filter(one -> one.verdict() instanceof Verdict.Failed)
            .map(one -> one.key().trigger())
            .distinct()
            .filter(
                trigger ->
                    statements
                        .reap()
                        .alert(
                            FAILED,
                            "the filter of an event trigger fails; `belay events list` has the"
                                + " events, `belay events show` the reason (trigger "
                                + trigger
                                + ")"))
            .count();
  }

  private void told(Written<Decided> written) {
    triggerMeters.eventsDecided(Written.count(written.decided(), Decided::verdict));
    if (written.alerts() > 0) {
      meters.alerted(FAILED, written.alerts());
    }
    written.tell(hints);
  }
}
