package dev.belay.server.wiring;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.QueueId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.deadletter.GiveUp;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.PlacementRefusals;
import dev.belay.engine.dispatch.RateTokens;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.Rules;
import dev.belay.engine.dispatch.UnservedQueues;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.trust.FailureCounts;
import dev.belay.engine.trust.SuspectWatch;
import dev.belay.server.EngineParts;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.Settings;
import dev.belay.store.dispatch.PostgresDispatch;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.system.PostgresRouting;
import dev.belay.store.worker.PostgresKinds;
import dev.belay.store.worker.PostgresTrust;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dispatcher of one replica, and what it knows of workers, task queues and declarations. */
final class Dispatching {

  private static final Logger log = LoggerFactory.getLogger(Dispatching.class);
  private static final String DRIFT = "roster_drift";

  private final Base base;
  private final PostgresDispatch store;
  private final PostgresTrust trust;
  private final SuspectWatch suspects;
  private final QueueCatalog queues;
  private final WaitingQueues waiting;
  private final Roster roster;
  private final Rules rules;
  private final Semaphore claimPermits;
  private final ExecutorService claims;
  private final DispatchPool pool;

  /** What the parts of the engine share. */
  record Base(
      Jdbi jdbi,
      Transactions transactions,
      EngineSettings engine,
      Settings values,
      Machine machine,
      BelayMetrics metrics) {}

  /**
   * @param wakeTick a claim made room in the pool
   */
  Dispatching(Base base, Runnable wakeTick) {
    this.base = base;
    var ticker = base.machine().ticker();
    Duration silence = base.values().of(EngineGroup.ROUTABLE_SILENCE);
    this.store = new PostgresDispatch(base.jdbi(), silence, base.metrics());
    var trusted = EngineParts.trust(base.values());
    this.trust = new PostgresTrust(base.jdbi(), trusted, silence, base.metrics());
    this.suspects = new SuspectWatch(trust, trusted, ticker);
    this.queues = new QueueCatalog(new PostgresQueues(base.jdbi()), ticker);
    this.waiting = new WaitingQueues(store, base.engine(), ticker);
    this.roster = new Roster(store, queues, waiting, base.engine(), ticker, suspects::look);
    this.rules = new Rules(new PostgresRouting(base.jdbi()), base.engine(), ticker);
    base.metrics().tasks().declaredTopics(rules::isTopic);
    this.claimPermits = new Semaphore(base.engine().dispatchThreads(), true);
    this.claims =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("claim-", 0).factory());
    this.pool =
        new DispatchPool(
            atOnce(claimPermits, claims),
            base.engine().dispatchThreads(),
            base.engine().dispatchQueue(),
            wakeTick);
  }

  /**
   * As many at once as there are permits. A fixed pool would hand claims round its threads, and so
   * round the connections that they remember: each claim would meet the backend with the coldest
   * caches.
   */
  private static Executor atOnce(Semaphore permits, Executor threads) {
    return work ->
        threads.execute(
            () -> {
              permits.acquireUninterruptibly();
              try {
                work.run();
              } finally {
                permits.release();
              }
            });
  }

  /** Counts what fails on which worker while it writes results. */
  FailureCounts counting(ResultWriter writer) {
    return new FailureCounts(
        writer, trust, EngineParts.trust(base.values()), base.machine().ticker(), roster::distrust);
  }

  /**
   * @param sureTime a lower bound on the current time
   */
  DispatchPhase phase(Gateway gateway, Hints hints, Supplier<Instant> sureTime) {
    var ticker = base.machine().ticker();
    var phase =
        new DispatchPhase(
            new DispatchPhase.Parts(
                store,
                queues,
                waiting,
                roster,
                rules,
                new RateTokens(base.transactions(), ticker),
                new Conflicts(
                    new Conflicts.Parts(
                        base.transactions(), waiting, roster, hints, base.metrics()),
                    ticker),
                base.machine().ids(),
                gateway,
                hints),
            EngineParts.choosing(base.values()),
            pool,
            base.engine(),
            sureTime,
            this::drifted);
    PlacementRefusals refusals = phase.refusals();
    refusals
        .reasons()
        .forEach(
            reason ->
                base.metrics()
                    .watch(Metric.PLACEMENTS_REFUSED, reason, () -> refusals.count(reason)));
    return phase;
  }

  /** Nobody else claims, so an unknown dispatch is a bug, or somebody's change by hand. */
  private void drifted(Epoch epoch, int unknown, int elsewhere) {
    base.metrics().drifted(unknown, elsewhere);
    if (unknown > 0) {
      String detail = "the leader did not know of " + unknown + " dispatches of its workers";
      if (base.transactions()
          .asLeader(epoch, statements -> statements.reap().alert(DRIFT, detail))) {
        base.metrics().alerted(DRIFT, 1);
      }
    }
  }

  UnservedQueues unserved(
      DeadLetters deadLetters, Hints hints, Supplier<Optional<Epoch>> leadership) {
    var unserved =
        new UnservedQueues(
            new UnservedQueues.Parts(
                waiting,
                queues,
                new PostgresRouting(base.jdbi()),
                new PostgresKinds(base.jdbi()),
                base.transactions(),
                new GiveUp(base.transactions(), deadLetters, hints, base.metrics())),
            EngineParts.placements(base.values()),
            base.engine().tick(),
            leadership,
            base.machine().ticker());
    Stream.of(DeadLetterReason.values())
        .filter(DeadLetterReason::isUnplaceable)
        .forEach(
            reason ->
                base.metrics()
                    .watch(Metric.QUEUES_UNSERVED, reason.word(), () -> unserved.count(reason)));
    return unserved;
  }

  PostgresDispatch store() {
    return store;
  }

  QueueCatalog queues() {
    return queues;
  }

  Roster roster() {
    return roster;
  }

  DispatchPool pool() {
    return pool;
  }

  /** Workers that are set aside, as the leader counts them. */
  int setAside() {
    return suspects.setAside();
  }

  /** Tasks of these became ready. */
  void hint(Collection<QueueId> ready) {
    waiting.hint(ready);
  }

  /** Somebody declared something else. */
  void rulesChanged() {
    rules.hint();
  }

  /** Waits for claims that are under way. */
  void close(Duration patience) {
    claims.shutdown();
    try {
      if (!claims.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        log.atInfo().log("claims are still under way");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
