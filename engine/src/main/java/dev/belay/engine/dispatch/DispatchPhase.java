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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
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
  private final FailureLog trouble = new FailureLog(log, "claim failed, the next tick tries again");

  /**
   * @param sureTime a lower bound on the current time, see {@link DispatchStore}
   * @param ticker monotonic nanoseconds
   */
  public DispatchPhase(
      DispatchStore store,
      DispatchPool pool,
      Ids ids,
      Deliveries deliveries,
      Hints hints,
      EngineSettings settings,
      Supplier<Instant> sureTime,
      LongSupplier ticker) {
    this.store = store;
    this.roster = new Roster(store, settings.tick().dividedBy(2), ticker);
    this.pool = pool;
    this.ids = ids;
    this.deliveries = deliveries;
    this.hints = hints;
    this.claimMax = settings.claimMax();
    this.sureTime = sureTime;
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
    // Read the batches under way before the database. A claim that commits in between counts twice,
    // which delays a task; in the other order it would not count, which overfills a worker.
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
    boolean more = offered < candidates.size() || candidates.size() >= places;
    pool.moreWaits(more);
    if (more) {
      roster.distrust();
    }
    return offered;
  }

  /** The roster, unless it leaves a pool, or everything, without a free slot: then a fresh read. */
  private List<Routing.Worker> workers(Epoch epoch) {
    if (roster.isFresh(epoch)) {
      List<Routing.Worker> believed = roster.workers(pool.slotsUnderWay());
      Map<String, Integer> free = Routing.freeByPool(believed);
      boolean room = believed.stream().allMatch(w -> free.keySet().containsAll(w.pools()));
      if (room && !believed.isEmpty()) {
        return believed;
      }
    }
    roster.read(epoch);
    return roster.workers(pool.slotsUnderWay());
  }

  private int offer(Epoch epoch, Routing.Worker worker, List<Routing.Candidate> tasks) {
    int offered = 0;
    for (int from = 0; from < tasks.size(); from += claimMax) {
      List<Routing.Candidate> batch = tasks.subList(from, Math.min(tasks.size(), from + claimMax));
      List<TaskId> named = batch.stream().map(Routing.Candidate::task).toList();
      if (!pool.offer(worker.id(), named, () -> claim(epoch, worker, batch))) {
        return offered;
      }
      offered += batch.size();
    }
    return offered;
  }

  private boolean claim(Epoch epoch, Routing.Worker worker, List<Routing.Candidate> batch) {
    List<Claim> claims =
        batch.stream()
            .map(ready -> new Claim(ready.task(), new DispatchId(ids.next()), ready.readySince()))
            .toList();
    try {
      List<MailboxEntry> claimed =
          store.claim(epoch, worker.id(), worker.session(), claims, sureTime.get());
      trouble.over();
      if (claimed.size() < claims.size()) {
        roster.distrust();
      }
      if (claimed.isEmpty()) {
        return false;
      }
      roster.claimed(worker.id(), claimed.size());
      if (!deliveries.deliver(worker.id(), claimed)) {
        hints.mailbox(worker.id());
      }
      return true;
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("claim refused, another leads");
      return false;
    } catch (RuntimeException failed) {
      // The commit may have succeeded. The mailbox comes from the database, so a committed claim is
      // delivered anyway and any other task is still SCHEDULED.
      trouble.met(
          failed,
          event -> event.addKeyValue("worker", worker.id()).addKeyValue("tasks", batch.size()));
      // If the claim did commit, its slots are taken.
      roster.claimed(worker.id(), batch.size());
      roster.distrust();
      hints.mailbox(worker.id());
      return false;
    }
  }
}
