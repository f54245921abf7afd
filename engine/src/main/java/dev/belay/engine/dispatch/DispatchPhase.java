package dev.belay.engine.dispatch;

import dev.belay.domain.fair.Ageing;
import dev.belay.domain.fair.FairOrder;
import dev.belay.domain.fair.Waiting;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Places;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Choice;
import dev.belay.domain.routing.Request;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.Picks.Open;
import dev.belay.engine.dispatch.Picks.Pick;
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
import dev.belay.engine.port.RoutingReads.Declared;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
  private final FairOrder<QueueId> order = new FairOrder<>(Ageing.OFF);
  private final Router router = new Router(RoutingSettings.DEFAULT, worker -> List.of());
  private final FailureLog trouble = new FailureLog(log, "claim failed, the next tick tries again");

  /** What the phase reads, writes and tells. */
  public record Parts(
      DispatchStore store,
      QueueCatalog queues,
      WaitingQueues waiting,
      Roster roster,
      Rules rules,
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
    if (parts.rules().look(epoch)) {
      Declared declared = parts.rules().declared();
      router.declare(declared.pools(), declared.topics());
      order.weigh(declared.weights());
    }
    router.replace(parts.roster().routed());
    for (int look = 1; ; look++) {
      var picks = new Picks(open(free));
      if (picks.isEmpty()) {
        pool.moreWaits(false);
        return 0;
      }
      List<Candidate> candidates =
          parts.store().readCandidates(picks.wanted(), underWay, sureTime.get());
      picks.read(candidates, parts.waiting());
      List<Assigned> assigned = place(picks);
      if (!assigned.isEmpty() || !picks.hasUnread() || look == LOOKS_MAX) {
        int offered = offer(epoch, assigned);
        pool.moreWaits(offered < candidates.size() || picks.hasUnread());
        return offered;
      }
    }
  }

  /** The task queues that have a free slot in their pools, and room in their limits. */
  private List<Open> open(Map<String, Integer> free) {
    List<Chosen> inOrder = parts.waiting().inOrder();
    Set<QueueId> ids = new HashSet<>();
    inOrder.forEach(each -> ids.add(each.queue()));
    Map<QueueId, TaskQueue> specs = parts.queues().specs(ids);
    List<Open> open = new ArrayList<>();
    for (Chosen chosen : inOrder) {
      TaskQueue spec = specs.get(chosen.queue());
      List<String> pools = spec == null ? List.of() : router.pools(spec.placement());
      int slots = pools.stream().mapToInt(name -> free.getOrDefault(name, 0)).sum();
      int room = spec == null || slots == 0 ? 0 : room(spec, pools);
      if (spec != null && room > 0) {
        open.add(new Open(chosen, spec, router.group(spec.placement()), slots, room));
      }
    }
    return open;
  }

  private int room(TaskQueue spec, List<String> pools) {
    RateLimit rate = spec.rateLimit();
    int tokens = rate == null ? 0 : rate.max();
    return parts.roster().places().room(spec, pools, limits(), tokens).tasks();
  }

  private Limits limits() {
    return parts.rules().declared().limits();
  }

  /** Takes candidates in fair order until none is left that has room and a worker. */
  private List<Assigned> place(Picks picks) {
    Instant now = Instant.EPOCH;
    List<Assigned> assigned = new ArrayList<>();
    List<Pick> found = picks.found();
    found.forEach(pick -> order.offer(pick.chosen.queue(), waiting(pick), now));
    Optional<QueueId> next = order.next(now);
    while (next.isPresent()) {
      Pick pick = picks.of(next.get());
      if (pick == null) {
        order.hold(next.get()); // A look that failed left it behind.
        next = order.next(now);
        continue;
      }
      Candidate head = pick.candidates.peekFirst();
      Assigned placed = head == null || !picks.mayGo(pick, head) ? null : place(pick, head, now);
      if (placed == null) {
        order.hold(pick.chosen.queue());
      } else {
        assigned.add(placed);
        pick.candidates.removeFirst();
        order.took(pick.chosen.queue(), pick.spec.placement().size().slots());
        parts.waiting().served(pick.chosen.queue(), placed.run());
        if (!pick.candidates.isEmpty()) {
          order.offer(pick.chosen.queue(), waiting(pick), now);
        } else if (pick.hasMore) {
          break; // It may be its turn again before others: the next look reads more of it.
        } else {
          order.leave(pick.chosen.queue());
        }
      }
      next = order.next(now);
    }
    found.forEach(pick -> order.hold(pick.chosen.queue()));
    return assigned;
  }

  private static Waiting waiting(Pick pick) {
    Candidate head = pick.candidates.getFirst();
    return new Waiting(
        pick.group,
        pick.spec.tenant(),
        pick.spec.workflow(),
        head.priority(),
        Instant.ofEpochMilli((long) (head.readySince() * 1_000)));
  }

  /** Null when a limit leaves no room, or no worker has any. */
  private @Nullable Assigned place(Pick pick, Candidate head, Instant now) {
    if (room(pick.spec, router.pools(pick.spec.placement())) == 0) {
      return null;
    }
    Size size = pick.spec.placement().size();
    Places places = parts.roster().places();
    var request =
        Request.of(pick.spec.placement(), head.priority(), now)
            .within(name -> places.hasRoom(name, size, limits()));
    if (!(router.place(request) instanceof Choice.Chosen(var worker, var in))) {
      return null;
    }
    var dispatch = new DispatchId(parts.ids().next());
    parts
        .roster()
        .claiming(new Roster.Taken(new Held(dispatch, worker.id(), head.queue()), pick.spec, in));
    return new Assigned(
        new Target(worker.id(), worker.session()),
        new Claim(
            head.task(), dispatch, head.readySince(), head.again(), pick.spec.placement().topic()),
        head.run());
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

  private record Assigned(Target to, Claim claim, @Nullable RunId run) {}

  private int offer(Epoch epoch, List<Assigned> all) {
    int offered = 0;
    int size = Math.min(claimMax, Math.max(BATCH_MIN, Math.ceilDiv(all.size(), threads)));
    for (int from = 0; from < all.size(); from += size) {
      List<Assigned> batch = all.subList(from, Math.min(all.size(), from + size));
      boolean taken = false;
      try {
        taken = offerBatch(epoch, batch);
      } finally {
        if (!taken) {
          parts.roster().over(dispatches(all.subList(from, all.size())));
        }
      }
      if (!taken) {
        return offered;
      }
      offered += batch.size();
    }
    return offered;
  }

  private static List<DispatchId> dispatches(List<Assigned> assigned) {
    return assigned.stream().map(each -> each.claim().dispatch()).toList();
  }

  private boolean offerBatch(Epoch epoch, List<Assigned> batch) {
    Map<Target, List<Claim>> claims = new LinkedHashMap<>();
    for (Assigned each : batch) {
      claims.computeIfAbsent(each.to(), any -> new ArrayList<>()).add(each.claim());
    }
    List<DispatchId> dispatches = dispatches(batch);
    return pool.offer(
        batch.stream().map(each -> each.claim().task()).toList(),
        () -> claim(epoch, claims, dispatches));
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
