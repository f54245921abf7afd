package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deliveries;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses a worker for each eligible task and hands the claims, for many workers at once, to the
 * pool. The pool commits a claim before it delivers it. A worker that is slow to accept delays
 * neither the tick nor other workers.
 */
public final class DispatchPhase {

  private static final Logger log = LoggerFactory.getLogger(DispatchPhase.class);

  /** Looks in a row that may find only empty task queues, or tasks that wait for better ones. */
  private static final int LOOKS_MAX = 10;

  /** A batch of fewer claims gains nothing from being divided among threads. */
  private static final int BATCH_MIN = 100;

  private final Parts parts;
  private final DispatchPool pool;
  private final int claimMax;
  private final int threads;
  private final Supplier<Instant> sureTime;
  private final Drifts drifts;
  private final FailureLog trouble = new FailureLog(log, "claim failed, the next tick tries again");

  /** What the phase reads, writes and tells. */
  public record Parts(
      DispatchStore store,
      QueueCatalog queues,
      WaitingQueues waiting,
      Roster roster,
      Ids ids,
      Deliveries deliveries,
      Hints hints) {}

  /**
   * @param sureTime a lower bound on the current time, see {@link DispatchStore}
   */
  public DispatchPhase(
      Parts parts,
      DispatchPool pool,
      EngineSettings settings,
      Supplier<Instant> sureTime,
      Drifts drifts) {
    this.parts = parts;
    this.pool = pool;
    this.claimMax = settings.claimMax();
    this.threads = settings.dispatchThreads();
    this.sureTime = sureTime;
    this.drifts = drifts;
  }

  /** Tasks of these task queues became SCHEDULED. */
  public void ready(Collection<QueueId> queues) {
    if (!queues.isEmpty()) {
      parts.waiting().hint(queues);
    }
  }

  /**
   * @return how many tasks were handed to the pool
   */
  public int runOnce(Epoch epoch) {
    // Assume so until we know: a claim that succeeds meanwhile then wakes the tick.
    pool.moreWaits(true);
    if (!pool.hasRoom()) {
      return 0;
    }
    // Read before the database: a claim that commits in between is only left out once more.
    Set<TaskId> underWay = pool.underWay();
    List<Routing.Worker> workers = workers(epoch);
    Map<String, Integer> free = Routing.freeByPool(workers);
    if (free.isEmpty()) {
      return 0;
    }
    parts.waiting().poll(epoch);
    for (int look = 1; ; look++) {
      List<Chosen> inOrder = parts.waiting().inOrder();
      var picks = new Picks(inOrder, parts.queues().specs(Picks.queues(inOrder)), free);
      if (picks.isEmpty()) {
        pool.moreWaits(false);
        return 0;
      }
      List<Candidate> candidates =
          parts.store().readCandidates(picks.wanted(), underWay, sureTime.get());
      picks.read(candidates, parts.waiting());
      List<Routing.Candidate> placeable = picks.placeable(candidates);
      if (!placeable.isEmpty() || !picks.hasUnread() || look == LOOKS_MAX) {
        int offered = offer(epoch, candidates, Routing.assign(placeable, workers));
        pool.moreWaits(offered < candidates.size() || picks.hasUnread());
        return offered;
      }
    }
  }

  /**
   * The roster, or a fresh read: when a pool, or everything, is without a free slot, and another
   * replica may have freed one.
   */
  private List<Routing.Worker> workers(Epoch epoch) {
    Roster roster = parts.roster();
    if (roster.isFresh(epoch)) {
      List<Routing.Worker> believed = roster.workers();
      if (!believed.isEmpty() && (!roster.isDoubted() || hasRoom(believed))) {
        return believed;
      }
    }
    Roster.Drift drift = roster.read(epoch);
    drifts.met(epoch, drift.unknown(), drift.elsewhere());
    return roster.workers();
  }

  private static boolean hasRoom(List<Routing.Worker> workers) {
    Map<String, Integer> free = Routing.freeByPool(workers);
    return workers.stream().allMatch(worker -> free.keySet().containsAll(worker.pools()));
  }

  private int offer(
      Epoch epoch,
      List<Candidate> candidates,
      Map<Routing.Worker, List<Routing.Candidate>> assigned) {
    Map<TaskId, Candidate> read = new HashMap<>();
    candidates.forEach(candidate -> read.put(candidate.task(), candidate));
    List<Assigned> all = new ArrayList<>();
    assigned.forEach(
        (worker, tasks) -> {
          var to = new Target(worker.id(), worker.session());
          for (Routing.Candidate task : tasks) {
            Candidate ready = Objects.requireNonNull(read.get(task.task()));
            all.add(assign(ready, to));
            parts.waiting().served(ready.queue(), ready.run());
          }
        });
    int offered = 0;
    int size = Math.min(claimMax, Math.max(BATCH_MIN, Math.ceilDiv(all.size(), threads)));
    for (int from = 0; from < all.size(); from += size) {
      List<Assigned> batch = all.subList(from, Math.min(all.size(), from + size));
      if (!offer(epoch, batch)) {
        return offered;
      }
      offered += batch.size();
    }
    return offered;
  }

  /** A claim, and what it takes until it is over. */
  private record Assigned(Target to, Claim claim, Held held) {}

  private Assigned assign(Candidate ready, Target to) {
    DispatchId dispatch = new DispatchId(parts.ids().next());
    return new Assigned(
        to,
        new Claim(ready.task(), dispatch, ready.readySince(), ready.again()),
        new Held(dispatch, to.worker(), ready.queue()));
  }

  private boolean offer(Epoch epoch, List<Assigned> batch) {
    Map<Target, List<Claim>> claims = new LinkedHashMap<>();
    for (Assigned each : batch) {
      claims.computeIfAbsent(each.to(), any -> new ArrayList<>()).add(each.claim());
    }
    List<DispatchId> dispatches = batch.stream().map(each -> each.held().dispatch()).toList();
    parts.roster().claiming(batch.stream().map(Assigned::held).toList());
    boolean taken = false;
    try {
      taken =
          pool.offer(
              batch.stream().map(each -> each.claim().task()).toList(),
              () -> claim(epoch, claims, dispatches));
    } finally {
      if (!taken) {
        parts.roster().over(dispatches);
      }
    }
    return taken;
  }

  private boolean claim(Epoch epoch, Map<Target, List<Claim>> claims, List<DispatchId> dispatches) {
    Roster roster = parts.roster();
    try {
      Map<WorkerId, List<MailboxEntry>> claimed =
          parts.store().claim(epoch, claims, sureTime.get());
      trouble.over();
      Set<DispatchId> missing = new HashSet<>(dispatches);
      claimed.values().forEach(own -> own.forEach(entry -> missing.remove(entry.id())));
      if (!missing.isEmpty()) {
        roster.over(missing);
        roster.distrust();
      }
      claimed.forEach(
          (worker, entries) -> {
            if (!parts.deliveries().deliver(worker, entries)) {
              parts.hints().mailbox(worker);
            }
          });
      return !claimed.isEmpty();
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("claim refused, another leads");
      roster.over(dispatches);
      return false;
    } catch (RuntimeException failed) {
      // The commit may have succeeded. The mailbox comes from the database, so a committed claim is
      // delivered anyway and any other task is still SCHEDULED.
      trouble.met(
          failed,
          event ->
              event.addKeyValue("workers", claims.size()).addKeyValue("tasks", dispatches.size()));
      // If the claim did commit, its slots are taken.
      roster.distrust();
      claims.keySet().forEach(to -> parts.hints().mailbox(to.worker()));
      return false;
    } finally {
      roster.decided(dispatches);
    }
  }

  /** Hears how a read of the workers differs from what the leader believed. */
  @FunctionalInterface
  public interface Drifts {
    /** Nobody listens. */
    Drifts NONE = (epoch, unknown, elsewhere) -> {};

    /**
     * @param unknown dispatches that the leader did not know of
     * @param elsewhere dispatches that were over, which another replica, the reaper or a person
     *     ended
     */
    void met(Epoch epoch, int unknown, int elsewhere);
  }
}
