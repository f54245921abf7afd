package dev.belay.server.wiring;

import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.loop.WorkPool;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.trigger.ChainPhase;
import dev.belay.engine.trigger.ChainPhase.Starts;
import dev.belay.engine.trigger.EventPhase;
import dev.belay.engine.trigger.EventStart;
import dev.belay.engine.trigger.TriggerPool;
import dev.belay.engine.trigger.WindowPhase;
import dev.belay.settings.EventGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.Settings;
import dev.belay.store.trigger.PostgresChains;
import dev.belay.store.trigger.PostgresEvents;
import dev.belay.workflow.CelEvents;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;

/** The loops of the leader that start runs because other runs ended or events came. */
final class CauseLoops {

  /** One may be busy with a costly filter while the other works for the rest. */
  private static final int THREADS_MIN = 2;

  /** A piece of work ends by itself long before. */
  private static final Duration STUCK_AFTER = Duration.ofSeconds(10);

  private final WorkPool filters;
  private final Signal wakeChains = new Signal();
  private final Signal wakeEvents = new Signal();
  private final Loop chains;
  private final Loop events;

  CauseLoops(
      Replica replica,
      Machine machine,
      Settings values,
      Transactions transactions,
      RunParams params) {
    this.filters =
        new WorkPool(
            "filter",
            new WorkPool.Size(
                Math.max(THREADS_MIN, values.of(ExpressionGroup.PLAN_THREADS)),
                values.of(ExpressionGroup.PLAN_WAITING),
                values.of(ExpressionGroup.STRAY_THREADS)),
            machine.threads(),
            machine.ticker());
    var starts =
        new Starts(
            params,
            SpecCodec::triggerFromJson,
            machine.ids(),
            values.of(EventGroup.CHAIN_DEPTH_MAX));
    var meters = replica.metrics().triggers();
    var chainPhase =
        new ChainPhase(
            new PostgresChains(replica.jdbi()),
            transactions,
            starts,
            replica.leader()::trusted,
            replica.hints(),
            meters);
    this.chains = replica.loops().make("chains", chainPhase::runOnce, wakeChains);
    var reads = new PostgresEvents(replica.jdbi());
    var expressions = new CelEvents(machine.workTicker());
    var start =
        new EventStart(
            transactions, starts, expressions, replica.hints(), replica.metrics(), meters);
    var windows =
        new WindowPhase(
            reads,
            start,
            new TriggerPool<>(filters, STUCK_AFTER, wakeEvents::raise),
            machine.ticker());
    var eventPhase =
        new EventPhase(
            reads,
            expressions,
            start,
            windows,
            new TriggerPool<>(filters, STUCK_AFTER, wakeEvents::raise),
            replica.leader()::trusted,
            meters,
            machine.ticker());
    this.events = replica.loops().make("events", eventPhase::runOnce, wakeEvents);
  }

  void start() {
    chains.start();
    events.start();
  }

  /** A run ended. */
  void wakeChains() {
    wakeChains.raise();
  }

  /** An event was stored. */
  void wakeEvents() {
    wakeEvents.raise();
  }

  WorkPool filters() {
    return filters;
  }

  void close(Duration patience) {
    chains.close(patience);
    events.close(patience);
    filters.close();
  }
}
