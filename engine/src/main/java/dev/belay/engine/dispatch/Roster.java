package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers, and the dispatches that take their slots. The leader adds a dispatch before it
 * claims it, and drops it when this replica has written its end. A read finds workers that came,
 * and drops what ended elsewhere. So the roster never underestimates the load of a worker, and a
 * read is seldom needed. Thread-safe.
 */
public final class Roster {

  private final DispatchStore store;
  private final WaitingQueues waiting;
  private final Duration ageMax;
  private final LongSupplier ticker;
  private final Consumer<Epoch> beforeRead;

  private @Nullable Epoch epoch;
  private long distrusts;
  private boolean doubted;
  private long readAt;
  private List<Routing.Worker> workers = List.of();
  private Map<DispatchId, Held> held = new HashMap<>();
  private Map<WorkerId, Integer> load = new HashMap<>();

  /** Dispatches whose claim is not decided yet, so no read may drop them. */
  private final Set<DispatchId> underWay = new HashSet<>();

  private @Nullable Meanwhile meanwhile;

  /** What happens during a read, which may or may not see it. */
  private record Meanwhile(Map<DispatchId, Held> kept, Set<DispatchId> over) {}

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
      DispatchStore store, WaitingQueues waiting, EngineSettings settings, LongSupplier ticker) {
    this(store, waiting, settings, ticker, _ -> {});
  }

  /**
   * @param beforeRead may change which workers get work, before the leader reads them
   */
  public Roster(
      DispatchStore store,
      WaitingQueues waiting,
      EngineSettings settings,
      LongSupplier ticker,
      Consumer<Epoch> beforeRead) {
    this.store = store;
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
      Map<DispatchId, Held> kept = new HashMap<>();
      for (DispatchId dispatch : underWay) {
        Held claimed = held.get(dispatch);
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
      synchronized (this) {
        Drift drift = replace(read);
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

  private Drift replace(Holdings read) {
    Map<DispatchId, Held> next = new HashMap<>();
    read.held().forEach(each -> next.put(each.dispatch(), each));
    if (meanwhile != null) {
      next.putAll(meanwhile.kept());
      meanwhile.over().forEach(next::remove);
    }
    List<Routing.Worker> present = read.workers();
    // A worker that was away brings what it held before.
    Drift drift = new Drift(missing(next, held, workers), missing(held, next, present));
    waiting.doubt(
        held.values().stream()
            .filter(each -> !next.containsKey(each.dispatch()))
            .map(Held::queue)
            .filter(Objects::nonNull)
            .toList());
    held = next;
    load = new HashMap<>();
    next.values().forEach(each -> load.merge(each.worker(), 1, Integer::sum));
    workers = present;
    return drift;
  }

  /** How many dispatches of these workers are in the first map alone. */
  private static int missing(
      Map<DispatchId, Held> from, Map<DispatchId, Held> in, List<Routing.Worker> workers) {
    Set<WorkerId> ids = new HashSet<>();
    workers.forEach(worker -> ids.add(worker.id()));
    int count = 0;
    for (Held each : from.values()) {
      if (!in.containsKey(each.dispatch()) && ids.contains(each.worker())) {
        count++;
      }
    }
    return count;
  }

  /** Call before the claim. */
  synchronized void claiming(Collection<Held> claims) {
    for (Held claim : claims) {
      held.put(claim.dispatch(), claim);
      underWay.add(claim.dispatch());
      if (meanwhile != null) {
        meanwhile.kept().put(claim.dispatch(), claim);
      }
      load.merge(claim.worker(), 1, Integer::sum);
    }
  }

  /** The claims are decided, or nobody knows: then the next read tells. */
  synchronized void decided(Collection<DispatchId> dispatches) {
    dispatches.forEach(underWay::remove);
  }

  /** They were not claimed, or are over: call it after the commit. */
  public synchronized void over(Collection<DispatchId> dispatches) {
    Set<QueueId> queues = new HashSet<>();
    for (DispatchId dispatch : dispatches) {
      underWay.remove(dispatch);
      if (meanwhile != null) {
        meanwhile.over().add(dispatch);
      }
      Held gone = held.remove(dispatch);
      if (gone != null) {
        load.computeIfPresent(gone.worker(), (id, count) -> count > 1 ? count - 1 : null);
        if (gone.queue() != null) {
          queues.add(gone.queue());
        }
      }
    }
    waiting.doubt(queues);
  }

  /** The workers with all tasks that they hold or are about to hold. */
  synchronized List<Routing.Worker> workers() {
    return workers.stream()
        .map(worker -> worker.holding(load.getOrDefault(worker.id(), 0)))
        .toList();
  }
}
