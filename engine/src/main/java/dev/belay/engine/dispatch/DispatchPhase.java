package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deliveries;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses a worker for each eligible task and hands the batches to the pool. The pool commits a
 * claim before it delivers it. A worker that is slow to accept delays neither the tick nor other
 * workers.
 */
public final class DispatchPhase {

  private static final Logger log = LoggerFactory.getLogger(DispatchPhase.class);

  private final DispatchStore store;
  private final Roster roster;
  private final DispatchPool pool;
  private final Ids ids;
  private final Deliveries deliveries;
  private final Hints hints;
  private final int claimMax;
  private final Supplier<Instant> sureTime;
  private final Drifts drifts;
  private final FailureLog trouble = new FailureLog(log, "claim failed, the next tick tries again");

  /**
   * @param sureTime a lower bound on the current time, see {@link DispatchStore}
   */
  public DispatchPhase(
      DispatchStore store,
      Roster roster,
      DispatchPool pool,
      Ids ids,
      Deliveries deliveries,
      Hints hints,
      EngineSettings settings,
      Supplier<Instant> sureTime,
      Drifts drifts) {
    this.store = store;
    this.roster = roster;
    this.pool = pool;
    this.ids = ids;
    this.deliveries = deliveries;
    this.hints = hints;
    this.claimMax = settings.claimMax();
    this.sureTime = sureTime;
    this.drifts = drifts;
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
    List<Routing.Candidate> candidates = store.readCandidates(free, underWay, sureTime.get());
    int offered = 0;
    for (Map.Entry<Routing.Worker, List<Routing.Candidate>> entry :
        Routing.assign(candidates, workers).entrySet()) {
      offered += offer(epoch, entry.getKey(), entry.getValue());
    }
    int places = free.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    pool.moreWaits(offered < candidates.size() || candidates.size() >= places);
    return offered;
  }

  /**
   * The roster, or a fresh read: when a pool, or everything, is without a free slot, and another
   * replica may have freed one.
   */
  private List<Routing.Worker> workers(Epoch epoch) {
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

  private int offer(Epoch epoch, Routing.Worker worker, List<Routing.Candidate> assigned) {
    int offered = 0;
    for (int from = 0; from < assigned.size(); from += claimMax) {
      List<Routing.Candidate> batch =
          assigned.subList(from, Math.min(assigned.size(), from + claimMax));
      List<Claim> claims = new ArrayList<>(batch.size());
      List<DispatchId> dispatches = new ArrayList<>(batch.size());
      List<TaskId> tasks = new ArrayList<>(batch.size());
      for (Routing.Candidate ready : batch) {
        DispatchId dispatch = new DispatchId(ids.next());
        claims.add(new Claim(ready.task(), dispatch, ready.readySince(), ready.again()));
        dispatches.add(dispatch);
        tasks.add(ready.task());
      }
      roster.claiming(worker.id(), dispatches);
      boolean taken = false;
      try {
        taken = pool.offer(tasks, () -> claim(epoch, worker, claims, dispatches));
      } finally {
        if (!taken) {
          roster.over(dispatches);
        }
      }
      if (!taken) {
        return offered;
      }
      offered += batch.size();
    }
    return offered;
  }

  private boolean claim(
      Epoch epoch, Routing.Worker worker, List<Claim> claims, List<DispatchId> dispatches) {
    try {
      List<MailboxEntry> claimed =
          store.claim(epoch, worker.id(), worker.session(), claims, sureTime.get());
      trouble.over();
      if (claimed.size() < claims.size()) {
        Set<DispatchId> missing = new HashSet<>(dispatches);
        claimed.forEach(entry -> missing.remove(entry.id()));
        roster.over(missing);
        roster.distrust();
      }
      if (claimed.isEmpty()) {
        return false;
      }
      if (!deliveries.deliver(worker.id(), claimed)) {
        hints.mailbox(worker.id());
      }
      return true;
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("claim refused, another leads");
      roster.over(dispatches);
      return false;
    } catch (RuntimeException failed) {
      // The commit may have succeeded. The mailbox comes from the database, so a committed claim is
      // delivered anyway and any other task is still SCHEDULED.
      trouble.met(
          failed,
          event -> event.addKeyValue("worker", worker.id()).addKeyValue("tasks", claims.size()));
      // If the claim did commit, its slots are taken.
      roster.distrust();
      hints.mailbox(worker.id());
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
