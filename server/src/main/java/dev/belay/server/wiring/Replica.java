package dev.belay.server.wiring;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.settle.Judge;
import dev.belay.domain.spec.Expressions;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.leader.Leader;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.Hints;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.server.ServerSettings;
import dev.belay.server.api.Changes;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.store.Database;
import dev.belay.store.dispatch.PostgresDispatch;
import dev.belay.store.hint.PostgresHints;
import dev.belay.store.leader.PostgresElection;
import dev.belay.store.plan.PlanWrites;
import dev.belay.store.plan.PostgresPlans;
import dev.belay.store.result.PostgresResults;
import dev.belay.store.worker.MailboxRows;
import dev.belay.store.worker.PostgresWorkers;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.SpecCodec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;

/** The engine of one replica with its loops, on PostgreSQL. */
final class Replica implements AutoCloseable {

  private static final int WORKFLOWS_CACHED_MAX = 200;
  private static final Duration ABORT_GRACE = Duration.ofSeconds(5);
  private static final Duration ROUTABLE_SILENCE = Duration.ofSeconds(30);

  private static final MailboxRows MAILBOX = new MailboxRows(SpecCodec::workFromJson);

  private final ServerSettings settings;
  private final Machine machine;
  private final Changes changes;
  private final Jdbi jdbi;
  private final EngineSettings engine;
  private final Signal wakeTick = new Signal();
  private final Signal wakeResults = new Signal();
  private final Signal wakeElection = new Signal();
  private final PostgresHints hints;
  private final ResultBatcher results;
  private final Gateway gateway;
  private final DispatchPool pool;
  private final ThreadPoolExecutor claims;
  private final Leader leader;
  private final List<Loop> loops = new ArrayList<>();
  private final Loop flush;

  Replica(
      ServerSettings settings,
      Machine machine,
      HikariDataSource source,
      Expressions expressions,
      Changes changes) {
    this.settings = settings;
    this.machine = machine;
    this.changes = changes;
    this.jdbi = Database.jdbi(source);
    this.engine =
        EngineSettings.of(settings.edition().dispatchThreads(), settings.edition().dispatchQueue())
            .withTick(settings.intervals().tick());
    this.hints = new PostgresHints(new Here(), this::connect, machine.threads());
    var judge = new Judge(machine.random());
    this.results =
        new ResultBatcher(
            new PostgresResults(jdbi, judge, SpecCodec::workFromJson), hints, engine, wakeResults);
    this.gateway =
        new Gateway(
            new PostgresWorkers(jdbi, MAILBOX, JsonValues::write),
            results,
            new GatewaySettings(
                settings.replica(),
                settings.intervals().report(),
                ABORT_GRACE,
                GatewaySettings.Limits.DEFAULT),
            machine.blocking());
    this.claims =
        new ThreadPoolExecutor(
            engine.dispatchThreads(),
            engine.dispatchThreads(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(engine.dispatchQueue()),
            machine.threads());
    this.pool =
        new DispatchPool(
            claims, engine.dispatchThreads() + engine.dispatchQueue(), wakeTick::raise);
    this.leader = leader(expressions);
    this.flush = new Loop("results", results::runOnce, wakeResults, machine.threads());
  }

  private Leader leader(Expressions expressions) {
    var plans =
        new PostgresPlans(
            jdbi, JsonValues::readObject, new PlanWrites(SpecCodec::workToJson, JsonValues::write));
    var workflows = new Workflows(plans, SpecCodec::fromJson, WORKFLOWS_CACHED_MAX);
    var plan = new PlanPhase(plans, workflows, new Planner(expressions), machine.ids(), hints);
    var dispatches = new PostgresDispatch(jdbi, ROUTABLE_SILENCE, MAILBOX);
    var dispatch =
        new DispatchPhase(dispatches, pool, machine.ids(), gateway, hints, engine.claimMax());
    var election = new PostgresElection(this::connect, settings.replica());
    return new Leader(election, new Tick(plan, dispatches, dispatch, engine), engine, wakeTick);
  }

  /** A connection of its own, for a lock or for LISTEN. */
  private Connection connect() throws SQLException {
    ServerSettings.Database database = settings.database();
    var properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("ApplicationName", "belay " + settings.replica());
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "20");
    return DriverManager.getConnection(database.jdbcUrl(), properties);
  }

  void start() {
    hints.start();
    flush.start();
    loop("election", leader::elect, wakeElection);
    loop("tick", leader::tick, wakeTick);
    loop(
        "mailboxes",
        () -> {
          gateway.poll();
          return settings.intervals().mailboxPoll();
        },
        new Signal());
  }

  private void loop(String name, java.util.function.Supplier<Duration> step, Signal signal) {
    loops.add(new Loop(name, step, signal, machine.threads()).start());
  }

  Jdbi jdbi() {
    return jdbi;
  }

  Hints hints() {
    return hints;
  }

  Gateway gateway() {
    return gateway;
  }

  ResultBatcher results() {
    return results;
  }

  DispatchPool pool() {
    return pool;
  }

  Leader leader() {
    return leader;
  }

  /** Steps down first, so that another replica leads at once; touches no task. */
  @Override
  public void close() {
    loops.forEach(Loop::close);
    leader.resign();
    claims.shutdown();
    gateway.shutdown();
    flush.close();
    hints.close();
  }

  /** Hints to this process. */
  private final class Here implements Hints {
    @Override
    public void workReady() {
      wakeTick.raise();
      changes.happened();
    }

    @Override
    public void runChanged() {
      wakeTick.raise();
      changes.happened();
    }

    @Override
    public void mailbox(WorkerId worker) {
      gateway.hint(worker);
      changes.happened();
    }
  }
}
