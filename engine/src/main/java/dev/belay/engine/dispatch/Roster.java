package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.limit.Places;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.HeldTasks;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
  private List<Worker> workers = List.of();
  private Instant readNow = Instant.EPOCH;
  private Map<DispatchId, Taken> held = new HashMap<>();
  private Map<WorkerId, Load> load = new HashMap<>();

  /** What they hold of the limits. */
  private final Places places = new Places();

  /** Dispatches whose claim is not decided yet, so no read may drop them. */
  private final Set<DispatchId> underWay = new HashSet<>();

  /** Those of them whose claim got no answer: it may commit yet. */
  private final Set<DispatchId> unanswered = new HashSet<>();

  private @Nullable Meanwhile meanwhile;

  /** Until when workers are not asked, because they cannot start anything. */
  private final Map<WorkerId, Instant> refusals = new HashMap<>();

  /** What happened since {@link #changes}. */
  private boolean replaced;

  private List<Freed> released = new ArrayList<>();
  private Set<TaskQueue> freed = new LinkedHashSet<>();
  private @Nullable Map<WorkerId, List<Taken>> byWorker;

  /** What happens during a read, which may or may not see it. */
  private record Meanwhile(Map<DispatchId, Taken> kept, Set<DispatchId> over) {}

  /**
   * A dispatch, and what it takes.
   *
   * @param queue null when nobody knows it: then it takes one slot of its worker
   * @param pool in which it counts
   */
  record Taken(Held held, @Nullable TaskQueue queue, String pool) {
    Size size() {
      return queue == null ? Size.ONE_SLOT : queue.placement().size();
    }

    @Nullable Instant endsBy() {
      Duration timeout = queue == null ? null : queue.placement().executionTimeout();
      return timeout == null ? null : held.since().plus(timeout);
    }
  }

  /** A worker has room for more. */
  record Freed(WorkerId worker, Size size) {}

  /**
   * What changed beside the claims.
   *
   * @param workers all of them, after a read; null when only slots became free
   * @param released slots that became free
   * @param freed task queues whose tasks gave their places back
   */
  record Changes(@Nullable List<Worker> workers, List<Freed> released, Set<TaskQueue> freed) {
    boolean isEmpty() {
      return workers == null && released.isEmpty() && freed.isEmpty();
    }
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
    settle();
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
        readNow = read.now();
        epoch = distrusts == distrustsBefore ? leadership : null;
        return known ? drift : Drift.NONE;
      }
    } finally {
      synchronized (this) {
        meanwhile = null;
      }
    }
  }

  /** Afterwards a read shows which of the unanswered claims committed. */
  private void settle() {
    Set<DispatchId> settled;
    synchronized (this) {
      settled = Set.copyOf(unanswered);
    }
    if (!settled.isEmpty()) {
      store.settle();
      decided(settled);
    }
  }

  /** What a dispatch takes never changes: only that of new ones is looked up. */
  private List<Taken> taken(Holdings read) {
    List<Taken> taken = new ArrayList<>(read.held().size());
    List<Held> others = new ArrayList<>();
    synchronized (this) {
      for (Held each : read.held()) {
        Taken known = held.get(each.dispatch());
        TaskQueue queue = known == null ? null : known.queue();
        if (known == null || queue == null) {
          others.add(each);
        } else {
          taken.add(new Taken(each, queue, known.pool()));
        }
      }
    }
    Set<QueueId> ids = new HashSet<>();
    others.forEach(each -> Optional.ofNullable(each.queue()).ifPresent(ids::add));
    Map<QueueId, TaskQueue> specs = queues.specs(ids);
    for (Held each : others) {
      TaskQueue queue = each.queue() == null ? null : specs.get(each.queue());
      taken.add(new Taken(each, queue, each.pool(queue)));
    }
    return taken;
  }

  private Drift replace(Holdings read, List<Taken> taken) {
    Map<DispatchId, Taken> next = new HashMap<>();
    taken.forEach(each -> next.put(each.held().dispatch(), each));
    if (meanwhile != null) {
      next.putAll(meanwhile.kept());
      meanwhile.over().forEach(next::remove);
    }
    List<Worker> present = read.workers();
    Drift drift = Drift.between(held, workers, next, present);
    List<Taken> gone =
        held.values().stream().filter(each -> !next.containsKey(each.held().dispatch())).toList();
    hint(gone);
    held = next;
    load = new HashMap<>();
    places.clear();
    next.values().forEach(this::count);
    workers = present;
    replaced = true;
    byWorker = null;
    return drift;
  }

  /** A task of these task queues may wait again, and others may have waited for their places. */
  private void hint(Collection<Taken> gone) {
    Set<QueueId> ids = new HashSet<>();
    for (Taken each : gone) {
      if (each.queue() != null) {
        freed.add(each.queue());
      }
      if (each.held().queue() != null) {
        ids.add(each.held().queue());
      }
    }
    if (!ids.isEmpty()) {
      waiting.hint(ids);
    }
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

  /** Call before the claim. */
  synchronized void claiming(Taken claim) {
    DispatchId dispatch = claim.held().dispatch();
    held.put(dispatch, claim);
    underWay.add(dispatch);
    if (meanwhile != null) {
      meanwhile.kept().put(dispatch, claim);
    }
    count(claim);
    byWorker = null;
  }

  /** The claims committed, or never will. */
  synchronized void decided(Collection<DispatchId> dispatches) {
    dispatches.forEach(underWay::remove);
    dispatches.forEach(unanswered::remove);
  }

  /** The claims may have committed, or commit yet: they keep their places until a read shows it. */
  synchronized void unanswered(Collection<DispatchId> dispatches) {
    unanswered.addAll(dispatches);
    distrust();
  }

  /** They were not claimed, or are over: call it after the commit. */
  public synchronized void over(Collection<DispatchId> dispatches) {
    List<Taken> ended = new ArrayList<>();
    for (DispatchId dispatch : dispatches) {
      underWay.remove(dispatch);
      unanswered.remove(dispatch);
      if (meanwhile != null) {
        meanwhile.over().add(dispatch);
      }
      Taken gone = held.remove(dispatch);
      if (gone != null) {
        ended.add(gone);
        WorkerId worker = gone.held().worker();
        load.computeIfPresent(worker, (id, before) -> before.minus(gone.size()));
        released.add(new Freed(worker, gone.size()));
        if (gone.queue() != null) {
          places.remove(gone.queue(), gone.pool(), 1);
        }
      }
    }
    byWorker = null;
    hint(ended);
  }

  /** A worker cannot start anything, and is not asked before this time. */
  synchronized void refuses(WorkerId worker, Instant until) {
    refusals.merge(worker, until, (one, other) -> one.isAfter(other) ? one : other);
  }

  /** What changed since the last call. Claims are not in it: who makes one knows. */
  synchronized Changes changes() {
    // A read of the workers counts all that was released until now.
    Changes changes =
        new Changes(replaced ? routed() : null, replaced ? List.of() : released, freed);
    replaced = false;
    released = new ArrayList<>();
    freed = new LinkedHashSet<>();
    return changes;
  }

  /** The workers with all that is taken of them or about to be. */
  synchronized List<Worker> routed() {
    Instant now = now();
    refusals.values().removeIf(until -> !until.isAfter(now));
    return workers.stream()
        .map(
            worker ->
                worker
                    .holding(load.getOrDefault(worker.id(), Load.NONE))
                    .refusing(refusals.get(worker.id())))
        .toList();
  }

  /** What a worker holds, and when that ends at the latest. */
  synchronized List<HeldTasks.Held> heldOn(WorkerId worker) {
    if (byWorker == null) {
      byWorker =
          held.values().stream().collect(Collectors.groupingBy(each -> each.held().worker()));
    }
    return byWorker.getOrDefault(worker, List.of()).stream()
        .map(each -> new HeldTasks.Held(each.size(), each.endsBy()))
        .toList();
  }

  /** The database's time, as far as its last read tells. */
  synchronized Instant now() {
    return readNow.plusNanos(ticker.getAsLong() - readAt);
  }

  /** Who holds these concurrency keys. */
  synchronized Map<OfTenant, KeyHolders> holders(Set<OfTenant> keys) {
    return KeyHolders.of(keys, held.values(), underWay);
  }

  /** What all dispatches hold of the limits, also those of workers that are away. */
  Places places() {
    return places;
  }
}
