package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Chosen;
import dev.belay.domain.routing.Choice.Refused;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the worker for each task, and explains the choice. It keeps the workers between rounds,
 * so a placement costs the logarithm of the number of workers, and a worker that changes costs as
 * much for each heap in use. Not thread-safe.
 */
public final class Router {

  private static final Comparator<Rank> ACROSS_POOLS =
      Comparator.comparing(Rank::overloaded)
          .thenComparing(Rank::lastChoice)
          .thenComparingDouble(rank -> rank.load().score());

  private final Fleet fleet;
  private final Reservations reservations;
  private final Map<String, Pool> pools = new HashMap<>();
  private final Map<String, Topic> topics = new HashMap<>();
  private @Nullable PoolGroups groups;

  /** A worker that may run a task, and the pool in which it does. */
  record Candidate(Pool pool, Rank rank) {}

  /** Asked for the tasks of a worker only when a wide task finds no room. */
  public Router(RoutingSettings settings, HeldTasks heldTasks) {
    this.fleet = new Fleet(settings);
    this.reservations = new Reservations(heldTasks, settings.reservationKept());
  }

  /** Replaces the declared pools and topics. */
  public void declare(Collection<Pool> declaredPools, Collection<Topic> declaredTopics) {
    pools.clear();
    topics.clear();
    declaredPools.forEach(pool -> pools.put(pool.name(), pool));
    declaredTopics.forEach(topic -> topics.put(topic.name(), topic));
    fleet.forgetHeaps();
    groups = null;
  }

  /**
   * Replaces the workers.
   *
   * @param known all that registered and were not removed, also those that are away: a task is
   *     given up only when none of them could ever run it
   */
  public void replace(Collection<Worker> known) {
    if (fleet.replace(known)) {
      groups = null;
    }
  }

  /** A worker said that it cannot start anything: it is not asked before this time. */
  public void refuse(WorkerId worker, Instant until) {
    fleet.refuse(worker, until);
  }

  /** Workers that refused a task until now may be asked again; returns whether there are such. */
  public boolean wake(Instant now) {
    return fleet.wake(now);
  }

  /** A task that took this size of a worker is over, or was not claimed. */
  public void release(WorkerId worker, Size size) {
    fleet.release(worker, size);
  }

  /** The pools that may run the tasks of a placement now. */
  public List<String> pools(Placement placement) {
    return activePools(placement).stream().map(Pool::name).toList();
  }

  /** Free slots of the workers in these pools that take work. */
  public int freeSlots(Collection<String> ofPools) {
    return ofPools.stream().mapToInt(pool -> fleet.ofPool(pool).freeSlots()).sum();
  }

  /** Free slots in all pools of a group. */
  public int freeSlotsOfGroup(String group) {
    return freeSlots(groups().members(group));
  }

  /** Whether some worker takes work when it has room. */
  public boolean takesWork() {
    return fleet.takesWork();
  }

  /** Whether each pool with workers that take work has a free slot. */
  public boolean isFreeEverywhere() {
    return fleet.isFreeEverywhere();
  }

  /** Names the pools that share workers with those of a placement. */
  public String group(Placement placement) {
    return groups().of(namedPools(placement));
  }

  /** Equal while each placement stays in its group. */
  public Object grouping() {
    return groups();
  }

  private PoolGroups groups() {
    if (groups == null) {
      Set<Collection<String>> shared = new HashSet<>();
      fleet.all().forEach(load -> shared.add(load.worker().traits().pools()));
      topics.values().forEach(topic -> shared.add(topic.pools()));
      groups = PoolGroups.of(shared);
    }
    return groups;
  }

  /**
   * Whether {@link #place} would find a worker. A wide task that would find none keeps a worker, as
   * it does there.
   */
  public boolean canPlace(Request request) {
    fleet.wake(request.now());
    if (choose(request) != null) {
      return true;
    }
    var _ = refuse(request);
    return false;
  }

  /** Chooses a worker, which holds the task from now on. */
  public Choice place(Request request) {
    fleet.wake(request.now());
    Candidate chosen = choose(request);
    if (chosen == null) {
      return refuse(request);
    }
    Placement placement = request.placement();
    reservations.placed(placement);
    WorkerLoad load = chosen.rank().load();
    fleet.take(load, placement.size());
    return new Chosen(load.current(), chosen.pool().name());
  }

  /**
   * What {@link #place} would decide, and why, for each worker.
   *
   * @param workersMax more workers are only counted
   */
  public Explanation explain(Request request, int workersMax) {
    fleet.wake(request.now());
    Explainer explainer =
        new Explainer(request, activePools(request.placement()), fleet, reservations);
    Candidate chosen = choose(request);
    return explainer.explain(
        chosen == null ? null : chosen.rank().load(),
        chosen == null ? refused(request) : null,
        workersMax);
  }

  /** How many workers it looked at so far: its cost. */
  public long looks() {
    return fleet.looks();
  }

  private @Nullable Candidate choose(Request request) {
    List<Pool> open =
        activePools(request.placement()).stream()
            .filter(pool -> request.poolHasRoom().test(pool.name()))
            .toList();
    WorkerId avoid = request.avoid();
    Candidate best = best(open, request, load -> !load.id().equals(avoid));
    if (best == null) {
      return avoid == null ? null : best(open, request, any -> true);
    }
    String preferred = request.placement().preferredWorker();
    WorkerLoad load = preferred == null ? null : fleet.find(preferred);
    return load == null || load.id().equals(avoid) ? best : preferred(load, best, open, request);
  }

  private @Nullable Candidate best(
      List<Pool> open, Request request, Predicate<WorkerLoad> acceptable) {
    Candidate best = null;
    for (Pool pool : open) {
      Rank rank =
          heap(request.placement(), pool)
              .best(
                  load -> acceptable.test(load) && !reservations.isKeptFrom(load, request),
                  request.now());
      if (rank != null && (best == null || ACROSS_POOLS.compare(rank, best.rank()) < 0)) {
        best = new Candidate(pool, rank);
      }
    }
    return best;
  }

  /** The preferred worker if it has room, and is not overloaded while another one is not. */
  private Candidate preferred(WorkerLoad load, Candidate best, List<Pool> open, Request request) {
    Placement placement = request.placement();
    for (Pool pool : open) {
      if (Needs.of(placement, pool).areMetBy(load.worker())
          && load.gate(placement.size(), request.now()) == null
          && !reservations.isKeptFrom(load, request)) {
        Rank rank = heap(placement, pool).rank(load);
        return rank.overloaded() && !best.rank().overloaded() ? best : new Candidate(pool, rank);
      }
    }
    return best;
  }

  private Refused refuse(Request request) {
    Refused refused = refused(request);
    if (refused.reason() == Refusal.POOL_OVERLOADED && request.placement().size().slots() > 1) {
      reservations.refused(
          request,
          activePools(request.placement()).stream()
              .map(pool -> Needs.of(request.placement(), pool))
              .toList(),
          needs -> fleet.ofPool(needs.pool()).candidates(needs));
    }
    return refused;
  }

  /** Why no worker takes it, if none has room. */
  public Refusal reason(Request request) {
    return refused(request).reason();
  }

  private Refused refused(Request request) {
    Placement placement = request.placement();
    if (namedPools(placement).isEmpty()) {
      return new Refused(Refusal.NO_POOL_MAPPING, true);
    }
    List<Pool> active = activePools(placement);
    if (active.isEmpty()) {
      return new Refused(Refusal.POOL_INACTIVE, false);
    }
    // A pool that drains or is inactive may have what the active ones lack, and comes back.
    boolean isHopeless = active.size() == namedPools(placement).size();
    if (active.stream().allMatch(pool -> fleet.ofPool(pool.name()).isEmpty())) {
      return new Refused(Refusal.NO_WORKERS, isHopeless);
    }
    if (active.stream().noneMatch(pool -> heap(placement, pool).members() > 0)) {
      return active.stream().anyMatch(pool -> hasCapabilities(placement, pool))
          ? new Refused(Refusal.NO_WORKERS, false)
          : new Refused(Refusal.NO_POOL_MAPPING, isHopeless);
    }
    if (active.stream().noneMatch(pool -> heap(placement, pool).usable() > 0)) {
      return new Refused(Refusal.NO_WORKERS, false);
    }
    return active.stream().noneMatch(pool -> request.poolHasRoom().test(pool.name()))
        ? new Refused(Refusal.POOL_SLOTS, false)
        : new Refused(Refusal.POOL_OVERLOADED, false);
  }

  /** Whether a known worker has what the pool lacks, wherever it is and however small. */
  private boolean hasCapabilities(Placement placement, Pool pool) {
    Needs needs = Needs.of(placement, pool);
    Needs capabilities = new Needs(pool.name(), needs.capabilities(), Map.of(), Size.ONE_SLOT);
    return fleet.ofPool(pool.name()).candidates(capabilities).stream()
        .anyMatch(load -> capabilities.areMetBy(load.worker()));
  }

  private WorkerHeap heap(Placement placement, Pool pool) {
    return fleet.heap(Needs.of(placement, pool), pool.strategy());
  }

  private List<Pool> activePools(Placement placement) {
    return namedPools(placement).stream()
        .map(name -> pools.getOrDefault(name, Pool.undeclared(name)))
        .filter(pool -> pool.state() == Pool.State.ACTIVE)
        .toList();
  }

  /** The pools of its topic. If it also names a pool, that one of them alone. */
  private List<String> namedPools(Placement placement) {
    String pool = placement.pool();
    if (placement.topic() == null) {
      return pool == null ? List.of() : List.of(pool);
    }
    Topic topic = topics.get(placement.topic());
    List<String> ofTopic = topic == null ? List.of() : topic.pools();
    return pool == null ? ofTopic : ofTopic.stream().filter(pool::equals).toList();
  }
}
