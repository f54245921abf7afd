package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Places;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.routing.Worker;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.queue.QueueCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers, and the dispatches that take their slots and hold places in limits. The leader adds
 * a dispatch before it claims it, and drops it when this replica has written its end. A read finds
 * workers that came, and drops what ended elsewhere. So the roster never underestimates the load of
 * a worker or of a limit, and a read is seldom needed. Thread-safe.
 */
public final class Roster {

  private final DispatchStore store;
  private final QueueCatalog queues;
  private final WaitingQueues waiting;
  private final Duration ageMax;
  private final LongSupplier ticker;
  private final Consumer<Epoch> beforeRead;

  private @Nullable Epoch epoch;
  private long distrusts;
  private boolean doubted;
  private long readAt;
  private List<Routing.Worker> workers = List.of();
  private Map<DispatchId, Taken> held = new HashMap<>();
  private Map<WorkerId, Load> load = new HashMap<>();

  /** What they hold of the limits. */
  private final Places places = new Places();

  /** Dispatches whose claim is not decided yet, so no read may drop them. */
  private final Set<DispatchId> underWay = new HashSet<>();

  private @Nullable Meanwhile meanwhile;

  /** What happens during a read, which may or may not see it. */
  private record Meanwhile(Map<DispatchId, Taken> kept, Set<DispatchId> over) {}

  /**
   * A dispatch, and what it takes.
   *
   * @param queue null when nobody knows it: then it takes one slot of its worker
   * @param pool in which it runs
   */
  record Taken(Held held, @Nullable TaskQueue queue, String pool) {
    Size size() {
      return queue == null ? Size.ONE_SLOT : queue.placement().size();
    }
  }

  /**
   * How a read differs from the roster.
   *
   * @param unknown dispatches that this leader did not know: a bug, or somebody's change by hand
   * @param elsewhere dispatches that were over without its knowledge
   */
  record Drift(int unknown, int elsewhere) {
    static final Drift NONE = new Drift(0, 0);
  }

  /**
   * @param waiting hears of the task queues of dispatches that are over
   * @param settings a read is trusted for half a tick
   * @param ticker monotonic nanoseconds
   */
  public Roster(
      DispatchStore store,
      QueueCatalog queues,
      WaitingQueues waiting,
      EngineSettings settings,
      LongSupplier ticker) {
    this(store, queues, waiting, settings, ticker, _ -> {});
  }

  /**
   * @param beforeRead may change which workers get work, before the leader reads them
   */
  public Roster(
      DispatchStore store,
      QueueCatalog queues,
      WaitingQueues waiting,
      EngineSettings settings,
      LongSupplier ticker,
      Consumer<Epoch> beforeRead) {
    this.store = store;
    this.queues = queues;
    this.waiting = waiting;
    this.beforeRead = beforeRead;
    this.ageMax = settings.tick().dividedBy(2);
    this.ticker = ticker;
  }

  /** Whether this leadership read it recently, and nothing contradicted it since. */
  synchronized boolean isFresh(Epoch leadership) {
    return leadership.equals(epoch) && ticker.getAsLong() - readAt < ageMax.toNanos();
  }

  /** Whether something may have ended that this replica did not hear of. */
  synchronized boolean isDoubted() {
    return doubted;
  }

  /** Another replica hints that a slot may be free, or a worker may have come. */
  public synchronized void doubt() {
    doubted = true;
  }

  /** A claim contradicted the roster, or a worker is not what it was: the next turn reads it. */
  public synchronized void distrust() {
    distrusts++;
    epoch = null;
  }

  Drift read(Epoch leadership) {
    long distrustsBefore;
    boolean known;
    synchronized (this) {
      known = leadership.equals(epoch);
      epoch = null;
      doubted = false;
      distrustsBefore = distrusts;
      Map<DispatchId, Taken> kept = new HashMap<>();
      for (DispatchId dispatch : underWay) {
        Taken claimed = held.get(dispatch);
        if (claimed != null) {
          kept.put(dispatch, claimed);
        }
      }
      meanwhile = new Meanwhile(kept, new HashSet<>());
    }
    long asked = ticker.getAsLong();
    try {
      beforeRead.accept(leadership);
      Holdings read = store.readWorkers();
      List<Taken> taken = taken(read);
      synchronized (this) {
        Drift drift = replace(read, taken);
        readAt = asked;
        epoch = distrusts == distrustsBefore ? leadership : null;
        return known ? drift : Drift.NONE;
      }
    } finally {
      synchronized (this) {
        meanwhile = null;
      }
    }
  }

  private List<Taken> taken(Holdings read) {
    Set<QueueId> ids = new HashSet<>();
    read.held().forEach(each -> Optional.ofNullable(each.queue()).ifPresent(ids::add));
    Map<QueueId, TaskQueue> specs = queues.specs(ids);
    Map<WorkerId, Set<String>> pools = new HashMap<>();
    read.workers().forEach(worker -> pools.put(worker.id(), worker.pools()));
    List<Taken> taken = new ArrayList<>(read.held().size());
    for (Held each : read.held()) {
      TaskQueue queue = each.queue() == null ? null : specs.get(each.queue());
      taken.add(new Taken(each, queue, pool(queue, pools.getOrDefault(each.worker(), Set.of()))));
    }
    return taken;
  }

  /** A task that names only a topic counts in the first pool of its worker. */
  private static String pool(@Nullable TaskQueue queue, Set<String> ofWorker) {
    String named = queue == null ? null : queue.placement().pool();
    return named != null ? named : ofWorker.stream().sorted().findFirst().orElse("");
  }

  private Drift replace(Holdings read, List<Taken> taken) {
    Map<DispatchId, Taken> next = new HashMap<>();
    taken.forEach(each -> next.put(each.held().dispatch(), each));
    if (meanwhile != null) {
      next.putAll(meanwhile.kept());
      meanwhile.over().forEach(next::remove);
    }
    List<Routing.Worker> present = read.workers();
    // A worker that was away brings what it held before.
    Drift drift = new Drift(missing(next, held, workers), missing(held, next, present));
    waiting.doubt(
        held.values().stream()
            .filter(each -> !next.containsKey(each.held().dispatch()))
            .map(each -> each.held().queue())
            .filter(Objects::nonNull)
            .toList());
    held = next;
    load = new HashMap<>();
    places.clear();
    next.values().forEach(this::count);
    workers = present;
    return drift;
  }

  private void count(Taken each) {
    load.merge(
        each.held().worker(),
        Load.NONE.plus(each.size()),
        (before, more) -> before.plus(each.size()));
    if (each.queue() != null) {
      places.add(each.queue(), each.pool(), 1);
    }
  }

  /** How many dispatches of these workers are in the first map alone. */
  private static int missing(
      Map<DispatchId, Taken> from, Map<DispatchId, Taken> in, List<Routing.Worker> workers) {
    Set<WorkerId> ids = new HashSet<>();
    workers.forEach(worker -> ids.add(worker.id()));
    int count = 0;
    for (Taken each : from.values()) {
      if (!in.containsKey(each.held().dispatch()) && ids.contains(each.held().worker())) {
        count++;
      }
    }
    return count;
  }

  /** Call before the claim. */
  synchronized void claiming(Taken claim) {
    DispatchId dispatch = claim.held().dispatch();
    held.put(dispatch, claim);
    underWay.add(dispatch);
    if (meanwhile != null) {
      meanwhile.kept().put(dispatch, claim);
    }
    count(claim);
  }

  /** The claims are decided, or nobody knows: then the next read tells. */
  synchronized void decided(Collection<DispatchId> dispatches) {
    dispatches.forEach(underWay::remove);
  }

  /** They were not claimed, or are over: call it after the commit. */
  public synchronized void over(Collection<DispatchId> dispatches) {
    Set<QueueId> freed = new HashSet<>();
    for (DispatchId dispatch : dispatches) {
      underWay.remove(dispatch);
      if (meanwhile != null) {
        meanwhile.over().add(dispatch);
      }
      Taken gone = held.remove(dispatch);
      if (gone != null) {
        load.computeIfPresent(gone.held().worker(), (id, before) -> before.minus(gone.size()));
        if (gone.queue() != null) {
          places.remove(gone.queue(), gone.pool(), 1);
        }
        if (gone.held().queue() != null) {
          freed.add(gone.held().queue());
        }
      }
    }
    waiting.doubt(freed);
  }

  /** The workers with all slots that are taken or about to be. */
  synchronized List<Routing.Worker> workers() {
    return workers.stream()
        .map(worker -> worker.holding(load.getOrDefault(worker.id(), Load.NONE).slots()))
        .toList();
  }

  /** The same, as the router knows them. */
  synchronized List<Worker> routed() {
    return workers.stream()
        .map(
            worker ->
                new Worker(
                    worker.id(),
                    worker.session(),
                    worker.id().toString(),
                    new Worker.Traits(worker.pools(), Set.of(), Map.of()),
                    Load.slots(worker.slots()),
                    load.getOrDefault(worker.id(), Load.NONE),
                    Worker.Condition.IDLE))
        .toList();
  }

  /** What all dispatches hold of the limits, also those of workers that are away. */
  Places places() {
    return places;
  }
}
