package dev.belay.engine.dispatch;

import dev.belay.domain.fair.Ageing;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.Places;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Choice;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.routing.Worker;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.Claims.Assigned;
import dev.belay.engine.dispatch.Gates.Blocker;
import dev.belay.engine.dispatch.Picks.Pick;
import dev.belay.engine.dispatch.WaitingQueues.News;
import dev.belay.engine.port.Deliveries;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.LastAttempt;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.RoutingReads.Declared;
import dev.belay.engine.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a worker for each eligible task and hands the claims, for many workers at once, to the
 * pool. The pool commits a claim before it delivers it. A worker that is slow to accept delays
 * neither the tick nor other workers.
 */
public final class DispatchPhase {

  /** Looks in a row that may find only empty task queues, or tasks that wait for better ones. */
  private static final int LOOKS_MAX = 10;

  /** What should not happen strands no task queue for longer. */
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(10);

  private final Parts parts;
  private final Claims claims;
  private final DispatchPool pool;
  private final Supplier<Instant> sureTime;
  private final Drifts drifts;
  private final Router router;
  private final Gates gates;
  private final OpenQueues open;
  private final Duration refusedFor;
  private final Duration doubtEvery;
  private @Nullable Epoch epochBefore;

  /** Limits, pools or topics may not be what they were. */
  private boolean rulesChanged;

  /** Workers may have room that had none. */
  private boolean roomChanged;

  /** This round found a task queue empty, which it does not look at again. */
  private boolean emptied;

  private Instant sweptAt = Instant.EPOCH;
  private Instant doubtedAt = Instant.EPOCH;

  /** What the phase reads, writes and tells. */
  public record Parts(
      DispatchStore store,
      QueueCatalog queues,
      WaitingQueues waiting,
      Roster roster,
      Rules rules,
      RateTokens rates,
      Conflicts conflicts,
      Ids ids,
      Deliveries deliveries,
      Hints hints) {}

  /** How the phase chooses. */
  public record Choosing(RoutingSettings routing, Ageing ageing) {
    public static final Choosing DEFAULT = new Choosing(RoutingSettings.DEFAULT, Ageing.OFF);
  }

  /**
   * @param sureTime a lower bound on the current time, see {@link DispatchStore}
   */
  public DispatchPhase(
      Parts parts,
      Choosing choosing,
      DispatchPool pool,
      EngineSettings settings,
      Supplier<Instant> sureTime,
      Drifts drifts) {
    this.parts = parts;
    this.router = new Router(choosing.routing(), parts.roster()::heldOn);
    this.gates = new Gates(router, parts.roster().places(), parts.rules(), parts.rates());
    this.open = new OpenQueues(router, gates, choosing.ageing());
    this.refusedFor = choosing.routing().refusedFor();
    this.doubtEvery = settings.tick();
    this.pool = pool;
    this.sureTime = sureTime;
    this.claims = new Claims(parts, pool, settings, sureTime);
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
    look(epoch);
    parts.waiting().poll(epoch);
    Instant now = parts.roster().now();
    learn(now);
    if (!now.isBefore(doubtedAt.plus(doubtEvery))) {
      doubtedAt = now;
      open.doubtLimits();
    }
    parts.conflicts().runOnce(epoch);
    parts.rates().begin(epoch);
    open.tokensMayHaveCome();
    emptied = false;
    for (int look = 1; ; look++) {
      learn(now);
      var picks = new Picks(open.plan(now), parts.waiting());
      if (picks.isEmpty()) {
        pool.moreWaits(false);
        return 0;
      }
      picks.read(parts.store().readCandidates(picks.wanted(), underWay, sureTime.get()));
      parts.rates().withdraw(epoch, picks.counts());
      List<Assigned> assigned = place(picks, now);
      if (!assigned.isEmpty() || !open.hasNext(now) || look == LOOKS_MAX) {
        int offered = claims.offer(epoch, assigned);
        pool.moreWaits(offered < assigned.size() || open.hasNext(now));
        if (assigned.isEmpty() && emptied && open.hasNext(now)) {
          pool.lookAgain(); // No claim will: all looks found only empty task queues.
        }
        return offered;
      }
    }
  }

  /** Time until a task may start that no hint announces: a rate limit has its next token. */
  public Optional<Duration> nextDue() {
    return Stream.of(parts.rates().nextDue(), parts.conflicts().again())
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  /** Why tasks did not start. Any thread. */
  public PlacementRefusals refusals() {
    return open.refusals();
  }

  /** The places of the limits of pools and tenants, and how many are held. Any thread. */
  public List<Places.Held> held() {
    return parts.roster().places().held(parts.rules().declared().limits());
  }

  /** Takes what changed about workers, limits, pools and topics. */
  private void look(Epoch epoch) {
    Roster roster = parts.roster();
    rulesChanged |= !epoch.equals(epochBefore);
    epochBefore = epoch;
    if (parts.rules().look(epoch)) {
      Declared declared = parts.rules().declared();
      router.declare(declared.pools(), declared.topics());
      open.weigh(declared.weights());
      rulesChanged = true;
    }
    take(roster.changes());
    boolean isEnough =
        roster.isFresh(epoch)
            && router.takesWork()
            && (!roster.isDoubted() || (router.isFreeEverywhere() && !open.isBlocked()));
    if (!isEnough) {
      Drift drift = roster.read(epoch);
      drifts.met(epoch, drift.unknown(), drift.elsewhere());
      take(roster.changes());
    }
    Instant now = roster.now();
    roomChanged |= router.wake(now);
    if (rulesChanged || !now.isBefore(sweptAt.plus(SWEEP_EVERY))) {
      sweptAt = now;
      open.keep(parts.waiting().known());
      open.wakeAll(now);
    } else if (roomChanged) {
      open.regroup(now);
      open.roomChanged(now);
    }
    rulesChanged = false;
    roomChanged = false;
  }

  private void take(Roster.Changes changes) {
    roomChanged |= !changes.isEmpty();
    List<Worker> workers = changes.workers();
    if (workers != null) {
      router.replace(workers);
    }
    changes.released().forEach(freed -> router.release(freed.worker(), freed.size()));
    changes.freed().forEach(open::freed);
  }

  private void learn(Instant now) {
    News news = parts.waiting().news();
    Set<QueueId> ids = new HashSet<>(news.hinted());
    ids.addAll(news.found().keySet());
    if (ids.isEmpty()) {
      return;
    }
    boolean learned = false;
    try {
      Map<QueueId, TaskQueue> specs = parts.queues().specs(ids);
      parts.conflicts().learn(specs);
      open.learn(news, specs, now);
      learned = true;
    } finally {
      if (!learned) {
        parts.waiting().hint(ids); // The next look learns it.
      }
    }
  }

  /** Takes candidates in fair order until none is left that has room and a worker. */
  private List<Assigned> place(Picks picks, Instant now) {
    for (Pick pick : picks.all()) {
      Candidate first = pick.candidates.peekFirst();
      if (first == null) {
        empty(pick);
      } else {
        pick.candidates.forEach(each -> refused(each, now));
        open.read(pick.item, first, now);
      }
    }
    List<Assigned> assigned = new ArrayList<>();
    boolean done = false;
    try {
      assign(picks, now, assigned);
      done = true;
    } finally {
      if (!done) {
        claims.notClaimed(assigned); // Else nobody ever decides them.
      }
    }
    return assigned;
  }

  private void assign(Picks picks, Instant now, List<Assigned> assigned) {
    for (OpenQueue item = next(now); item != null; item = next(now)) {
      Pick pick = picks.of(item);
      Candidate head = pick == null ? null : pick.candidates.pollFirst();
      if (pick == null || head == null) {
        return; // It is the turn of a task that was not read yet.
      }
      Assigned placed = place(pick, head, now);
      if (placed != null) {
        assigned.add(placed);
        parts.waiting().served(item.id(), head.run());
        open.took(item);
        proceed(pick, now);
      }
    }
  }

  private @Nullable OpenQueue next(Instant now) {
    return open.next(now).orElse(null);
  }

  private void proceed(Pick pick, Instant now) {
    Candidate next = pick.candidates.peekFirst();
    if (next != null) {
      parts.waiting().first(pick.item.id(), next.priority());
      open.read(pick.item, next, now);
    } else if (!pick.hasMore) {
      empty(pick);
    }
  }

  private void empty(Pick pick) {
    emptied = true;
    parts.waiting().empty(pick.chosen);
    open.empty(pick.item);
  }

  /** A worker that cannot start anything is left alone for a while. */
  private void refused(Candidate candidate, Instant now) {
    LastAttempt last = candidate.last();
    if (last == null) {
      return;
    }
    Instant refusedAt = last.refusedAt();
    if (refusedAt != null && refusedAt.plus(refusedFor).isAfter(now)) {
      parts.roster().refuses(last.worker(), refusedAt.plus(refusedFor));
      router.refuse(last.worker(), refusedAt.plus(refusedFor));
    }
  }

  /** Null when a limit leaves no room, or no worker has any. */
  private @Nullable Assigned place(Pick pick, Candidate head, Instant now) {
    OpenQueue item = pick.item;
    Blocker full = gates.limitNow(item);
    if (full != null) {
      open.block(item, full, now);
      return null;
    }
    LastAttempt last = head.last();
    var request =
        gates
            .request(item.spec().placement(), head.priority(), now)
            .avoiding(last == null ? null : last.worker());
    return switch (router.place(request)) {
      case Choice.Chosen(var worker, var in) -> assign(item, head, worker, in, now);
      case Choice.Refused _ -> {
        open.block(item, gates.lack(item), now);
        yield null;
      }
    };
  }

  private Assigned assign(OpenQueue item, Candidate head, Worker worker, String in, Instant now) {
    var dispatch = new DispatchId(parts.ids().next());
    String stored = item.spec().placement().pool() == null ? in : null;
    var held = new Held(dispatch, worker.id(), head.queue(), stored, now);
    parts.roster().claiming(new Roster.Taken(held, item.spec(), in));
    parts.rates().spend(item.spec(), dispatch);
    return new Assigned(
        new Target(worker.id(), worker.session()),
        new Claim(
            head.task(),
            head.queue(),
            dispatch,
            head.readySince(),
            head.again(),
            item.spec().placement().topic(),
            stored));
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
