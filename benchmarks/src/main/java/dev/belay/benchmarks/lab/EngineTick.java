package dev.belay.benchmarks.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.id.OrderedIds;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.RateTokens;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.Rules;
import dev.belay.engine.dispatch.Undeclared;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.Signal;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Jdbi;

/**
 * The leader's tick on a database, stepped by hand. Wired like server.wiring.Replica, but without
 * fencing.
 */
public final class EngineTick implements AutoCloseable {

  private static final int POOL_SIZE = 4;

  /** As a server has them. */
  private static final int CLAIM_THREADS = 16;

  private static final int CLAIM_QUEUE = 256;
  private static final int WORKFLOWS_CACHED_MAX = 200;
  private static final Duration CLAIMS_MAX = Duration.ofMinutes(10);

  private final HikariDataSource source;
  private final PostgresElection election;
  private final Executor claims;
  private final AtomicLong claimed = new AtomicLong();
  private final Signal wake = new Signal();
  private volatile long wanted = Long.MAX_VALUE;
  private final DispatchPhase dispatch;
  private final Tick tick;
  private final Epoch epoch;

  private EngineTick(
      HikariDataSource source,
      PostgresElection election,
      Executor claims,
      EngineSettings settings,
      Epoch epoch) {
    this.source = source;
    this.election = election;
    this.claims = claims;
    this.epoch = epoch;
    var jdbi = Database.jdbi(source);
    var dispatches = new PostgresDispatch(jdbi, DispatchStore.ROUTABLE_SILENCE, Meters.NONE);
    var queues = new QueueCatalog(new PostgresQueues(jdbi), System::nanoTime);
    this.dispatch = dispatch(jdbi, dispatches, queues, settings);
    this.tick = tick(jdbi, dispatches, queues, settings);
  }

  /** Migrates the database and becomes the leader. The tick waits for its claims. */
  public static EngineTick on(Address database) {
    return on(database, POOL_SIZE, Runnable::run, EngineSettings.of(1, 1));
  }

  /** The same, but claims run beside the tick, as those of a server. */
  public static EngineTick serving(Address database) {
    return on(
        database,
        POOL_SIZE + CLAIM_THREADS,
        Executors.newFixedThreadPool(CLAIM_THREADS),
        EngineSettings.of(CLAIM_THREADS, CLAIM_QUEUE));
  }

  private static EngineTick on(
      Address database, int connections, Executor claims, EngineSettings settings) {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()));
    var source =
        Database.pool(
            database.jdbcUrl(),
            database.user(),
            database.password(),
            connections,
            "belay bench",
            Database.Bounds.DEFAULT);
    var election = new PostgresElection(database::connect, "bench");
    var epoch =
        election.campaign().orElseThrow(() -> new IllegalStateException("somebody else leads"));
    return new EngineTick(source, election, claims, settings, epoch);
  }

  private DispatchPhase dispatch(
      Jdbi jdbi, PostgresDispatch dispatches, QueueCatalog queues, EngineSettings settings) {
    var transactions = new PostgresTransactions(jdbi);
    var waiting = new WaitingQueues(dispatches, settings, System::nanoTime);
    var roster = new Roster(dispatches, queues, waiting, settings, System::nanoTime);
    return new DispatchPhase(
        new DispatchPhase.Parts(
            dispatches,
            queues,
            waiting,
            roster,
            new Rules(new Undeclared(), settings, System::nanoTime),
            new RateTokens(transactions, System::nanoTime),
            new Conflicts(
                new Conflicts.Parts(transactions, waiting, roster, Hints.NONE, Meters.NONE),
                System::nanoTime),
            ids(),
            (worker, entries) -> {
              count(entries.size());
              return true;
            },
            Hints.NONE),
        DispatchPhase.Choosing.DEFAULT,
        new DispatchPool(claims, settings.dispatchThreads(), settings.dispatchQueue(), wake::raise),
        settings,
        () -> Instant.EPOCH,
        DispatchPhase.Drifts.NONE);
  }

  private Tick tick(
      Jdbi jdbi, PostgresDispatch dispatches, QueueCatalog queues, EngineSettings settings) {
    var reads = new PostgresPlans(jdbi);
    var workflows = new Workflows(reads, SpecCodec::fromJson, WORKFLOWS_CACHED_MAX);
    var transactions = new PostgresTransactions(jdbi);
    var writer = new PlanWriter(transactions, queues, Meters.NONE);
    var plan =
        new PlanPhase(
            reads, writer, workflows, new Planner(new CelExpressions()), ids(), Hints.NONE);
    return new Tick(
        new Tick.Phases(
            plan, new Promotion(transactions, dispatches, Meters.NONE), dispatch, dispatches),
        settings,
        LeaderSettings.DEFAULT,
        System::nanoTime,
        Meters.NONE);
  }

  private static OrderedIds ids() {
    return new OrderedIds(InstantSource.system(), new SecureRandom());
  }

  /** One whole tick. */
  public void runOnce() {
    var _ = tick.runOnce(epoch);
  }

  private void count(int more) {
    if (claimed.addAndGet(more) >= wanted) {
      wake.raise();
    }
  }

  /** A submit put tasks into these task queues. */
  public void ready(Collection<QueueId> queues) {
    dispatch.ready(queues);
  }

  /**
   * Ticks, as the loop of a leader does, until so many more tasks have a worker.
   *
   * @return how long it took
   */
  public Duration claim(int tasks) throws InterruptedException {
    long start = System.nanoTime();
    wanted = claimed.get() + tasks;
    long wholeAt = start;
    while (claimed.get() < wanted) {
      if (System.nanoTime() - start > CLAIMS_MAX.toNanos()) {
        throw new IllegalStateException(
            "%d of %d tasks have no worker after %s"
                .formatted(wanted - claimed.get(), tasks, CLAIMS_MAX));
      }
      if (System.nanoTime() - wholeAt >= 0) {
        wholeAt = System.nanoTime() + tick.runOnce(epoch).sleep().toNanos();
      } else {
        var _ = tick.dispatch(epoch);
      }
      wake.await(Duration.ofNanos(Math.max(0, wholeAt - System.nanoTime())));
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Override
  public void close() {
    if (claims instanceof ExecutorService threads) {
      threads.close();
    }
    election.resign();
    source.close();
  }
}
