package dev.belay.server.wiring;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.bulk.BulkPhase;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.loop.WorkPool;
import dev.belay.engine.schedule.BackfillPhase;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.RunPromises;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.server.EngineParts;
import dev.belay.server.metrics.BackfillMetrics;
import dev.belay.server.metrics.BulkMetrics;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.ReapGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.settings.Settings;
import dev.belay.store.Database;
import dev.belay.store.backfill.StoredSchedule;
import dev.belay.store.promise.PostgresPromises;
import dev.belay.store.read.WaitReads;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.store.system.PostgresRouting;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.ExpressionLimits;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;

/**
 * The loops of the leader that start runs by themselves, keep the promises of runs and work bulk
 * operations off, each beside the others and the tick.
 */
final class TriggerLoops {

  /** Parameters of workflows without their tasks: small, and bounded by their size too. */
  private static final int PARAMS_CACHED_MAX = 20_000;

  /**
   * Of the defaults of one run that Belay starts by itself. Ample for dates and names; what costs
   * more would make others late, and the instant is skipped with that reason.
   */
  private static final ExpressionLimits PARAMS_COST =
      new ExpressionLimits(
          new ExpressionLimits.Bound(20_000, Duration.ofMillis(50)),
          new ExpressionLimits.Bound(20_000, Duration.ofMillis(50)),
          200_000);

  /** Of the schedule: it writes by two transactions side by side. */
  private static final int CONNECTIONS = 2;

  private final WorkPool paramThreads;

  /** Apart from those of timed triggers, so that neither backfills nor events make one late. */
  private final WorkPool backfillThreads;

  private final WorkPool causeThreads;

  /**
   * Of the schedule alone. Claims and other loops give a connection back and take it again before
   * one who waits for it wakes: under load the schedule would wait for seconds.
   */
  private final HikariDataSource connections;

  private final BackfillPhase backfills;
  private final Signal wakeBackfills = new Signal();
  private final CauseLoops causes;
  private final List<Loop> loops = new ArrayList<>();
  private final List<Signal> signals = new ArrayList<>();

  TriggerLoops(Replica replica, Machine machine, Settings values, Transactions transactions) {
    this.paramThreads = threads("params", machine, values);
    this.backfillThreads = threads("backfill_params", machine, values);
    this.causeThreads = threads("cause_params", machine, values);
    this.connections = replica.ownConnections(CONNECTIONS);
    Jdbi own = Database.jdbi(connections);
    var ownReads = new PostgresSchedules(own);
    var schedules =
        new SchedulePhase(
            new SchedulePhase.Parts(
                ownReads,
                new PostgresTransactions(own),
                params(ownReads, paramThreads, machine, values),
                json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
                machine.ids(),
                replica.hints(),
                replica.metrics(),
                machine.blocking()),
            replica.leader()::trusted,
            EngineParts.schedules(values));
    add(replica, "schedules", schedules::runOnce);
    var reads = new PostgresSchedules(replica.jdbi());
    this.backfills =
        new BackfillPhase(
            transactions,
            params(reads, backfillThreads, machine, values),
            new BackfillPhase.Parts(
                StoredSchedule::instants,
                JsonValues::readObject,
                machine.ids(),
                replica.hints(),
                new BackfillMetrics(replica.metrics())),
            EngineParts.backfills(values),
            replica.leader()::trusted,
            machine.ticker());
    loops.add(replica.loops().make("backfills", backfills::runOnce, wakeBackfills));
    add(replica, "bulks", bulks(replica, machine, values, transactions)::runOnce);
    add(replica, "promises", promises(replica, machine, values, transactions)::runOnce);
    this.causes =
        new CauseLoops(
            replica, machine, values, transactions, params(reads, causeThreads, machine, values));
  }

  private static BulkPhase bulks(
      Replica replica, Machine machine, Settings values, Transactions transactions) {
    var steering =
        new TaskSteering(transactions, replica.hints(), replica.metrics(), SpecCodec::fromJson);
    return new BulkPhase(
        transactions,
        new BulkPhase.Parts(
            steering::graphOf,
            machine.ids(),
            replica.hints(),
            replica.metrics(),
            new BulkMetrics(replica.metrics())),
        EngineParts.bulks(values),
        replica.leader()::trusted);
  }

  private static RunPromises promises(
      Replica replica, Machine machine, Settings values, Transactions transactions) {
    var waits =
        new WaitReads(
            new WaitReads.Sources(
                replica.jdbi(), new PostgresRouting(replica.jdbi()), replica.queues()),
            values.of(EngineGroup.ROUTABLE_SILENCE),
            values.of(ReapGroup.DATABASE_GAP),
            new WaitReads.Placing(
                EngineParts.placements(values), EngineParts.choosing(values).routing()),
            machine.ticker());
    return new RunPromises(
        new PostgresPromises(replica.jdbi(), waits),
        transactions,
        EngineParts.promises(values),
        replica.leader()::trusted,
        replica.hints(),
        replica.metrics(),
        machine.ticker());
  }

  private static WorkPool threads(String name, Machine machine, Settings values) {
    var size =
        new WorkPool.Size(
            values.of(ExpressionGroup.PLAN_THREADS),
            values.of(ExpressionGroup.PLAN_WAITING),
            values.of(ExpressionGroup.STRAY_THREADS));
    return new WorkPool(name, size, machine.threads(), machine.ticker());
  }

  private static RunParams params(
      PostgresSchedules reads, WorkPool pool, Machine machine, Settings values) {
    return new ComputedParams(
        reads::readParams,
        new CelExpressions(PARAMS_COST, machine.workTicker()),
        pool,
        values.of(ScheduleGroup.PARAMS_PATIENCE),
        machine.ticker(),
        PARAMS_CACHED_MAX);
  }

  private void add(Replica replica, String name, Supplier<Duration> step) {
    var signal = new Signal();
    signals.add(signal);
    loops.add(replica.loops().make(name, step, signal));
  }

  void start() {
    loops.forEach(Loop::start);
    causes.start();
  }

  /**
   * A trigger may be due sooner than the loops think, a backfill or a bulk operation has begun, or
   * this is the leader.
   */
  void wake() {
    signals.forEach(Signal::raise);
    wakeBackfills.raise();
    causes.wakeChains();
    causes.wakeEvents();
  }

  /** A run may have ended: a backfill may have room for the next. */
  void runChanged() {
    if (backfills.isActive()) {
      wakeBackfills.raise();
    }
  }

  /** A run ended. */
  void wakeChains() {
    causes.wakeChains();
  }

  /** An event was stored. */
  void wakeEvents() {
    causes.wakeEvents();
  }

  void close(Duration patience) {
    causes.close(patience);
    loops.forEach(loop -> loop.close(patience));
    paramThreads.close();
    backfillThreads.close();
    causeThreads.close();
  }

  void disconnect() {
    connections.close();
  }
}
