package dev.belay.benchmarks.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.id.OrderedIds;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.Rules;
import dev.belay.engine.dispatch.Undeclared;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.Database;
import dev.belay.store.Migrations;
import dev.belay.store.dispatch.PostgresDispatch;
import dev.belay.store.leader.PostgresElection;
import dev.belay.store.plan.PostgresPlans;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.SpecCodec;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The leader's tick on a database, stepped by hand. Wired like server.wiring.Replica, but without
 * fencing.
 */
public final class EngineTick implements AutoCloseable {

  private static final int POOL_SIZE = 4;
  private static final int WORKFLOWS_CACHED_MAX = 200;

  private final HikariDataSource source;
  private final PostgresElection election;
  private final Tick tick;
  private final Epoch epoch;

  private EngineTick(HikariDataSource source, PostgresElection election, Tick tick, Epoch epoch) {
    this.source = source;
    this.election = election;
    this.tick = tick;
    this.epoch = epoch;
  }

  /** Migrates the database and becomes the leader. */
  public static EngineTick on(Address database) {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()));
    var source =
        Database.pool(
            database.jdbcUrl(),
            database.user(),
            database.password(),
            POOL_SIZE,
            "belay bench",
            Database.Bounds.DEFAULT);
    var election = new PostgresElection(database::connect, "bench");
    var epoch =
        election.campaign().orElseThrow(() -> new IllegalStateException("somebody else leads"));
    return new EngineTick(source, election, tick(source), epoch);
  }

  private static Tick tick(HikariDataSource source) {
    var jdbi = Database.jdbi(source);
    var ids = new OrderedIds(InstantSource.system(), new SecureRandom());
    var hints = Hints.NONE;
    var settings = EngineSettings.of(1, 1);
    var reads = new PostgresPlans(jdbi);
    var workflows = new Workflows(reads, SpecCodec::fromJson, WORKFLOWS_CACHED_MAX);
    var transactions = new PostgresTransactions(jdbi);
    var queues = new QueueCatalog(new PostgresQueues(jdbi), System::nanoTime);
    var writer = new PlanWriter(transactions, queues, Meters.NONE);
    var plan =
        new PlanPhase(reads, writer, workflows, new Planner(new CelExpressions()), ids, hints);
    var dispatches = new PostgresDispatch(jdbi, DispatchStore.ROUTABLE_SILENCE, Meters.NONE);
    var waiting = new WaitingQueues(dispatches, settings, System::nanoTime);
    var dispatch =
        new DispatchPhase(
            new DispatchPhase.Parts(
                dispatches,
                queues,
                waiting,
                new Roster(dispatches, queues, waiting, settings, System::nanoTime),
                new Rules(new Undeclared(), settings, System::nanoTime),
                ids,
                (worker, claimed) -> false,
                hints),
            DispatchPhase.Choosing.DEFAULT,
            new DispatchPool(Runnable::run, 1, 1, () -> {}),
            settings,
            () -> Instant.EPOCH,
            DispatchPhase.Drifts.NONE);
    return new Tick(
        new Tick.Phases(
            plan, new Promotion(transactions, dispatches, Meters.NONE), dispatch, dispatches),
        settings,
        LeaderSettings.DEFAULT,
        System::nanoTime,
        Meters.NONE);
  }

  /** One whole tick. */
  public void runOnce() {
    var _ = tick.runOnce(epoch);
  }

  @Override
  public void close() {
    election.resign();
    source.close();
  }
}
