package dev.belay.engine.trigger;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.AfterWorkflow;
import dev.belay.domain.trigger.Causes;
import dev.belay.domain.trigger.SkipReason;
import dev.belay.engine.port.ChainKey;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.ChainReads.PendingChain;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.port.TriggerTarget;
import dev.belay.engine.port.TriggerTarget.Limit;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.statement.ChainStatements.Decided;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the runs that wait for the end of another run. A loop of the leader. */
public final class ChainPhase {

  private static final Logger log = LoggerFactory.getLogger(ChainPhase.class);

  /** In the column {@code created_by} of its runs. */
  public static final String ACTOR = "workflow";

  /** A hint wakes the loop sooner. */
  private static final Duration POLL = Duration.ofSeconds(2);

  private static final int READ_MAX = 500;
  private static final int READ_EACH = 100;

  private final ChainReads reads;
  private final Transactions transactions;
  private final ChoiceWriter writer;
  private final Starts starts;
  private final Supplier<Optional<Epoch>> leadership;
  private final Hints hints;
  private final TriggerMeters meters;

  /**
   * What a phase needs to start runs.
   *
   * @param decode reads a stored trigger
   * @param depthMax runs in a row, each the cause of the next
   */
  public record Starts(
      RunParams params, Function<String, TriggerSpec> decode, Ids ids, int depthMax) {}

  /**
   * @param leadership the epoch, while this replica leads with trust
   */
  public ChainPhase(
      ChainReads reads,
      Transactions transactions,
      Starts starts,
      Supplier<Optional<Epoch>> leadership,
      Hints hints,
      TriggerMeters meters) {
    this.reads = reads;
    this.transactions = transactions;
    this.writer = new ChoiceWriter(transactions);
    this.starts = starts;
    this.leadership = leadership;
    this.hints = hints;
    this.meters = meters;
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> epoch = leadership.get();
    if (epoch.isEmpty()) {
      return POLL;
    }
    try {
      List<Choice<ChainKey>> choices = choose(reads.readPending(READ_MAX, READ_EACH));
      if (choices.isEmpty()) {
        return POLL;
      }
      writer.writeEach(choices, some -> write(epoch.get(), some));
      return Duration.ZERO;
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.get().value()).log("chains no more: deposed");
      return POLL;
    }
  }

  /** An end that starts a run, once its parameters are known. */
  private record Ready(PendingChain end, RunParams.Request request) {}

  private List<Choice<ChainKey>> choose(List<PendingChain> ends) {
    List<Choice<ChainKey>> choices = new ArrayList<>();
    List<Ready> ready = new ArrayList<>();
    for (PendingChain end : ends) {
      try {
        choose(end, choices, ready);
      } catch (RuntimeException unreadable) {
        log.atWarn().addKeyValue("end", end.key()).setCause(unreadable).log("unreadable trigger");
        choices.add(
            Choice.skip(end.key(), SkipReason.UNREADABLE, String.valueOf(unreadable.getMessage())));
      }
    }
    if (!ready.isEmpty()) {
      List<RunParams.Answer> answers =
          starts.params().resolve(ready.stream().map(Ready::request).toList());
      for (int i = 0; i < answers.size(); i++) {
        start(ready.get(i), answers.get(i)).ifPresent(choices::add);
      }
    }
    return choices;
  }

  private void choose(PendingChain end, List<Choice<ChainKey>> choices, List<Ready> ready) {
    if (!(starts.decode().apply(end.spec()) instanceof AfterWorkflow trigger)) {
      throw new IllegalStateException("the trigger does not wait for a workflow");
    }
    TriggerTarget target = end.target();
    WorkflowId version = target.version();
    if (version == null) {
      choices.add(Choice.skip(end.key(), SkipReason.DELETED));
      return;
    }
    Causes.ofEnd(trigger, end.state(), target.state(), end.depth() + 1, starts.depthMax())
        .ifPresentOrElse(
            reason -> choices.add(Choice.skip(end.key(), reason)),
            () -> ready.add(new Ready(end, request(end, trigger, version))));
  }

  private RunParams.Request request(PendingChain end, AfterWorkflow trigger, WorkflowId version) {
    TriggerTarget target = end.target();
    return new RunParams.Request(
        version,
        trigger.params(),
        new RunParams.Facts(
            new RunId(starts.ids().next()),
            target.workflow().tenant(),
            target.workflow().name(),
            end.logicalDate(),
            target.now()));
  }

  /** Nothing while there is no room for its expressions. */
  private static Optional<Choice<ChainKey>> start(Ready ready, RunParams.Answer answer) {
    ChainKey key = ready.end().key();
    return switch (answer) {
      case RunParams.Answer.Busy() -> Optional.empty();
      case RunParams.Answer.Refused(var why) ->
          Optional.of(Choice.skip(key, SkipReason.PARAMS, why));
      case RunParams.Answer.Resolved(var json) ->
          Optional.of(Choice.start(key, run(ready, json), limit(ready)));
    };
  }

  private static NewRun run(Ready ready, String params) {
    ChainKey key = ready.end().key();
    RunParams.Facts facts = ready.request().facts();
    return new NewRun(
        facts.run(),
        facts.tenant(),
        ready.request().version(),
        facts.workflow(),
        params,
        facts.logicalDate(),
        limit(ready).counts(),
        new Cause(key.trigger(), null, key.upstream(), null, ready.end().depth() + 1));
  }

  private static Limit limit(Ready ready) {
    return ready.end().target().limit();
  }

  private void write(Epoch epoch, List<Choice<ChainKey>> choices) {
    Written<Decided> written =
        transactions.asLeader(epoch, statements -> write(statements, choices));
    meters.chainsDecided(Written.count(written.decided(), Decided::verdict));
    written.tell(hints);
  }

  private static Written<Decided> write(Statements statements, List<Choice<ChainKey>> choices) {
    RunStarter starter = RunStarter.of(statements, ACTOR, choices);
    Set<ChainKey> pending =
        statements.chains().lockPending(choices.stream().map(Choice::key).toList());
    List<Choice<ChainKey>> open = Choice.open(choices, pending);
    if (open.isEmpty()) {
      return Written.nothing();
    }
    starter.start(open);
    List<Decided> decided =
        open.stream()
            .map(choice -> new Decided(choice.key(), starter.after(choice.verdict())))
            .toList();
    statements.chains().decide(decided);
    return Written.of(decided, starter);
  }
}
