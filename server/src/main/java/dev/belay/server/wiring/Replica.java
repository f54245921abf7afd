package dev.belay.server.wiring;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Places;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.reap.ReapGrace;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.Expressions;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.UnservedQueues;
import dev.belay.engine.gateway.DatabaseClock;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.leader.Leader;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Loops;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.loop.WorkPool;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanPool;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.Hints;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.reap.DatabaseUptime;
import dev.belay.engine.reap.ReapWriter;
import dev.belay.engine.reap.Reaper;
import dev.belay.engine.reap.SafeClock;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.statement.Transactions;
import dev.belay.server.EngineParts;
import dev.belay.server.ServerSettings;
import dev.belay.server.api.Changes;
import dev.belay.server.gateway.RefusalRecord;
import dev.belay.server.health.Health;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.WorkerGauges;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.HealthGroup;
import dev.belay.settings.LeaderGroup;
import dev.belay.settings.RetryGroup;
import dev.belay.settings.Settings;
import dev.belay.store.Database;
import dev.belay.store.hint.PostgresHints;
import dev.belay.store.leader.PostgresElection;
import dev.belay.store.plan.PostgresPlans;
import dev.belay.store.reap.PostgresReap;
import dev.belay.store.replica.Heartbeat;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.store.worker.PostgresWorkers;
import dev.belay.workflow.CelRetryCondition;
import dev.belay.workflow.SpecCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine of one replica with its loops, on PostgreSQL. */
final class Replica implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Replica.class);

  private final ServerSettings settings;
  private final EngineConnections connections;
  private final Settings values;
  private final ReapSettings reapRules;
  private final Duration beatEvery;
  private final Duration mailboxPoll;
  private final Duration stepDownMax;
  private final Machine machine;
  private final Changes changes;
  private final HikariDataSource source;
  private final Jdbi jdbi;
  private final Transactions transactions;
  private final EngineSettings engine;
  private final Signal wakeTick = new Signal();
  private final Signal wakeResults = new Signal();
  private final Signal wakeElection = new Signal();
  private final PostgresHints hints;
  private final Dispatching dispatching;
  private final ResultBatcher results;
  private final WorkerGauges workers;
  private final Gateway gateway;
  private final WorkPool planThreads;
  private final PlanPool plans;
  private final BelayMetrics metrics;
  private final Loops loops;
  private final SafeClock sureTime;
  private final ReapGrace reapGrace;
  private final DatabaseClock databaseClock = new DatabaseClock();
  private final DispatchPhase dispatch;
  private final Leader leader;
  private final Loop electionLoop;
  private final Loop tickLoop;
  private final Loop flush;
  private final Loop mailboxes;
  private final Loop reap;
  private final Loop unserved;
  private final Loop beat;
  private final TriggerLoops triggers;
  private boolean steppedDown;

  Replica(ServerSettings settings, Machine machine, Expressions expressions, Changes changes) {
    this.settings = settings;
    this.machine = machine;
    this.changes = changes;
    this.metrics = new BelayMetrics(settings.promises());
    this.connections = new EngineConnections(settings);
    this.source = connections.pool(settings.engineConnections());
    this.jdbi = Database.jdbi(source);
    this.transactions = new PostgresTransactions(jdbi);
    this.values = settings.values();
    this.reapRules = EngineParts.reap(values);
    this.beatEvery = values.of(HealthGroup.BEAT);
    this.mailboxPoll = values.of(EngineGroup.MAILBOX_POLL);
    this.stepDownMax = values.of(LeaderGroup.STEP_DOWN);
    this.engine = EngineParts.engine(values);
    this.loops = new Loops(machine.threads(), machine.ticker(), values.of(HealthGroup.STEP_MAX));
    this.dispatching =
        new Dispatching(
            new Dispatching.Base(jdbi, transactions, engine, values, machine, metrics),
            wakeTick::raise);
    this.hints = new PostgresHints(new Here(), connections::connect, loops, this::leads);
    var retries =
        new RetryDecision(
            machine.random(),
            EngineParts.retries(values),
            new CelRetryCondition(machine.workTicker()));
    var deadLetters = new DeadLetters(machine.ids(), values.of(RetryGroup.DEAD_LETTER_FAILED));
    var writer = new ResultWriter(transactions, retries, settings.promises(), deadLetters);
    this.results =
        new ResultBatcher(
            dispatching.counting(writer),
            hints,
            metrics,
            machine.ticker(),
            engine,
            wakeResults,
            dispatching.roster()::over);
    this.workers = new WorkerGauges(new PostgresWorkers(jdbi, metrics));
    this.gateway =
        new Gateway(
            workers,
            results,
            EngineParts.gateway(values, settings.replica()),
            new RefusalRecord(jdbi, metrics, machine.ticker()),
            machine.blocking(),
            databaseClock,
            machine.ticker());
    this.sureTime = new SafeClock(reapRules, machine.ticker());
    this.planThreads = new WorkPool("plan", planSize(values), machine.threads(), machine.ticker());
    this.plans =
        new PlanPool(planThreads, EngineParts.plans(values), machine.ticker(), this::planned);
    this.dispatch = dispatching.phase(gateway, hints, sureTime::now);
    this.leader = leader(expressions);
    this.electionLoop = loops.make("election", leader::elect, wakeElection);
    this.tickLoop = loops.make(Health.TICK_LOOP, leader::tick, wakeTick);
    this.flush = loops.make("results", results::runOnce, wakeResults);
    this.mailboxes = loops.make("mailboxes", this::pollMailboxes, new Signal());
    var pulse = new DatabaseUptime(reapRules.grace().databaseGap(), machine.ticker());
    this.reapGrace = new ReapGrace(reapRules.grace());
    this.reap = loops.make("reap", reaper(writer, pulse)::runOnce, new Signal());
    var heartbeat =
        new Heartbeat(jdbi, settings.replica(), reapRules.grace().databaseGap(), machine.ticker());
    UnservedQueues unservedQueues = dispatching.unserved(deadLetters, hints, leader::trusted);
    this.unserved = loops.make("unserved", unservedQueues::runOnce, new Signal());
    this.beat =
        loops.make(
            "beat",
            () -> {
              lookAtDatabase(heartbeat);
              pulse.beat();
              return beatEvery;
            },
            new Signal());
    this.triggers = new TriggerLoops(this, machine, values, transactions);
    // The gateway rejects workers that connect before the first heartbeat.
    lookAtDatabase(heartbeat);
  }

  private void lookAtDatabase(Heartbeat heartbeat) {
    long asked = machine.ticker().getAsLong();
    var databaseNow = heartbeat.beat();
    long answered = machine.ticker().getAsLong();
    databaseClock.look(databaseNow, asked, answered);
    reapGrace.look(asked, answered, databaseNow);
    sureTime.look(databaseNow);
  }

  private Reaper reaper(ResultWriter results, DatabaseUptime pulse) {
    var reads = new PostgresReap(jdbi, reapRules);
    return new Reaper(
        reads,
        new ReapWriter(
            transactions,
            reads,
            results,
            reapRules,
            settings.promises(),
            metrics,
            dispatching.roster()::over),
        reapRules,
        values.of(EngineGroup.TICK),
        leader::trusted,
        pulse::steadyFor,
        reapGrace,
        hints,
        metrics,
        machine.ticker());
  }

  private static WorkPool.Size planSize(Settings values) {
    return new WorkPool.Size(
        values.of(ExpressionGroup.PLAN_THREADS),
        values.of(ExpressionGroup.PLAN_RUNS),
        values.of(ExpressionGroup.STRAY_THREADS));
  }

  /** A finished plan waits to be written. Any thread. */
  private void planned() {
    leader.planSoon();
    wakeTick.raise();
  }

  private Duration pollMailboxes() {
    gateway.poll();
    return mailboxPoll;
  }

  private boolean leads() {
    return leader.epoch().isPresent();
  }

  private Leader leader(Expressions expressions) {
    var reads = new PostgresPlans(jdbi);
    var plan =
        new PlanPhase(
            reads,
            new PlanWriter(transactions, queues(), metrics),
            new Workflows(reads, SpecCodec::fromJson, values.of(EngineGroup.WORKFLOWS_CACHED)),
            new Planner(expressions),
            machine.ids(),
            hints,
            plans);
    LeaderSettings rule = EngineParts.leader(values);
    var tick =
        new Tick(
            new Tick.Phases(
                plan,
                new Promotion(transactions, dispatching.store(), metrics),
                dispatch,
                dispatching.store()),
            engine,
            rule,
            machine.ticker(),
            metrics);
    var election =
        new PostgresElection(
            connections::connect, settings.replica(), EngineParts.election(values));
    var signals = new Leader.Signals(wakeTick, wakeElection, hints);
    return new Leader(election, tick, rule, signals, machine.ticker());
  }

  /** Opens a separate connection, for a lock or for LISTEN. */
  Connection connect() throws SQLException {
    return connections.connect();
  }

  void start() {
    hints.start();
    flush.start();
    electionLoop.start();
    tickLoop.start();
    mailboxes.start();
    beat.start();
    reap.start();
    unserved.start();
    triggers.start();
    loops.start();
  }

  /** More connections, for a loop that must not wait for the others. */
  HikariDataSource ownConnections(int count) {
    return connections.pool(count);
  }

  /** On the engine's connections. */
  Jdbi jdbi() {
    return jdbi;
  }

  QueueCatalog queues() {
    return dispatching.queues();
  }

  Loops loops() {
    return loops;
  }

  BelayMetrics metrics() {
    return metrics;
  }

  Hints hints() {
    return hints;
  }

  Gateway gateway() {
    return gateway;
  }

  /** The limits of pools and tenants, as the leader counts what is held; elsewhere none. */
  List<Places.Held> limitsHeld() {
    return leads() ? dispatch.held() : List.of();
  }

  /** How busy the workers of this replica are. */
  WorkerGauges workers() {
    return workers;
  }

  /** Workers that are set aside, as the leader counts them; elsewhere 0. */
  int setAside() {
    return leads() ? dispatching.setAside() : 0;
  }

  ResultBatcher results() {
    return results;
  }

  DispatchPool pool() {
    return dispatching.pool();
  }

  WorkPool planThreads() {
    return planThreads;
  }

  PlanPool plans() {
    return plans;
  }

  Leader leader() {
    return leader;
  }

  /**
   * Hands over the leadership. Before it frees the lock, it stops its ticks and claims. If that
   * takes too long, the successor waits at the epoch lock for a while.
   */
  void stepDown() {
    if (steppedDown) {
      return;
    }
    steppedDown = true;
    Duration patience = stepDownMax;
    leader.stop();
    triggers.close(patience);
    reap.close(patience);
    unserved.close(patience);
    tickLoop.close(patience);
    planThreads.close();
    dispatching.close(patience);
    if (electionLoop.close(patience)) {
      leader.resign();
    } else {
      log.atWarn().log("the election does not end; the database will free the lock");
    }
  }

  /** Steps down first, so another replica leads at once; changes no task. */
  @Override
  public void close() {
    stepDown();
    mailboxes.close();
    gateway.shutdown();
    beat.close();
    flush.close();
    hints.close();
    loops.close();
    disconnect();
  }

  /** Closes a replica that was not started. */
  void disconnect() {
    triggers.disconnect();
    source.close();
  }

  /** Hints to this process. */
  private final class Here implements Hints {
    @Override
    public void workReady() {
      wakeTick.raise();
      changes.happened();
    }

    @Override
    public void workReady(Collection<QueueId> named) {
      if (leads()) { // Nobody else takes them, and a new leader reads where tasks wait.
        dispatching.hint(named);
      }
      workReady();
    }

    @Override
    public void workReadyElsewhere() {
      dispatching.roster().doubt();
      workReady();
    }

    @Override
    public void runChanged() {
      leader.planSoon();
      wakeTick.raise();
      triggers.runChanged();
      changes.happened();
    }

    @Override
    public void runEnded() {
      triggers.wakeChains();
    }

    @Override
    public void eventStored() {
      triggers.wakeEvents();
      changes.happened();
    }

    @Override
    public void dueIn(Duration wait) {
      leader.dueIn(wait);
      changes.happened();
    }

    @Override
    public void triggersChanged() {
      triggers.wake();
    }

    @Override
    public void routingChanged() {
      dispatching.rulesChanged();
      workReady();
    }

    @Override
    public void mailbox(WorkerId worker) {
      gateway.hint(worker);
      changes.happened();
    }

    @Override
    public void leaderLeft() {
      wakeElection.raise();
    }
  }
}
