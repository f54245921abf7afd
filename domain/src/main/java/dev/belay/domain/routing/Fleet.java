package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The known workers, by pool, and the heaps that were asked for. */
final class Fleet {

  /** Workers in all heaps together. The heaps that were not used for longest are forgotten. */
  private static final long HEAPED_MAX = 1_000_000;

  private final RoutingSettings settings;
  private final long heapedMax;
  private final Map<WorkerId, WorkerLoad> workers = new HashMap<>();

  /** By name and by id. An old worker may have the name of a new one. */
  private final Map<String, List<WorkerLoad>> byName = new HashMap<>();

  private final Map<String, PoolWorkers> byPool = new HashMap<>();
  private final LinkedHashMap<Needs, WorkerHeap> heaps = new LinkedHashMap<>(16, 0.75f, true);
  private final PriorityQueue<Wake> wakes = new PriorityQueue<>(Comparator.comparing(Wake::at));
  private long turns;
  private long heaped;
  private long looksOfForgotten;

  /** When a worker that refused a task may be asked again. */
  private record Wake(Instant at, WorkerLoad load) {}

  Fleet(RoutingSettings settings) {
    this(settings, HEAPED_MAX);
  }

  Fleet(RoutingSettings settings, long heapedMax) {
    this.settings = settings;
    this.heapedMax = heapedMax;
  }

  /** Returns whether workers came, left or changed more than their load. */
  boolean replace(Collection<Worker> known) {
    Set<WorkerId> ids = new HashSet<>();
    boolean changed = false;
    for (Worker worker : known) {
      ids.add(worker.id());
      changed |= update(worker);
    }
    for (WorkerLoad load : List.copyOf(workers.values())) {
      if (!ids.contains(load.id())) {
        detach(load);
        load.forget();
        workers.remove(load.id());
        changed = true;
      }
    }
    return changed;
  }

  /** Pools changed what they are. */
  void forgetHeaps() {
    heaps.values().forEach(this::forget);
    heaps.clear();
  }

  void take(WorkerLoad load, Size size) {
    load.take(size, ++turns);
    changed(load);
  }

  void release(WorkerId worker, Size size) {
    WorkerLoad load = workers.get(worker);
    if (load != null) {
      load.giveBack(size);
      changed(load);
    }
  }

  /** It refused a task, and is not asked before this time. */
  void refuse(WorkerId worker, Instant until) {
    WorkerLoad load = workers.get(worker);
    if (load != null) {
      update(load.current().refusing(until));
    }
  }

  /** Whether each pool with workers that take work has a free slot. */
  boolean isFreeEverywhere() {
    return byPool.values().stream().allMatch(pool -> pool.freeSlots() > 0 || !pool.takesWork());
  }

  boolean takesWork() {
    return workers.values().stream().anyMatch(WorkerLoad::isUsable);
  }

  /** Workers that refused a task until now may be asked again. */
  boolean wake(Instant now) {
    boolean woken = false;
    for (Wake wake = wakes.peek(); wake != null && !wake.at().isAfter(now); wake = wakes.peek()) {
      wakes.remove();
      wake.load().awake();
      changed(wake.load());
      woken = true;
    }
    return woken;
  }

  Collection<WorkerLoad> all() {
    return workers.values();
  }

  /** Of several workers with a name, one that takes work. */
  @Nullable WorkerLoad find(String nameOrId) {
    List<WorkerLoad> named = byName.getOrDefault(nameOrId, List.of());
    return named.stream()
        .filter(WorkerLoad::isUsable)
        .findFirst()
        .orElse(named.isEmpty() ? null : named.getLast());
  }

  boolean isOverloaded(WorkerLoad load) {
    return load.isOverloaded(settings);
  }

  PoolWorkers ofPool(String pool) {
    return byPool.computeIfAbsent(pool, any -> new PoolWorkers());
  }

  WorkerHeap heap(Needs needs, Pool.Strategy strategy) {
    WorkerHeap found = heaps.get(needs);
    if (found != null) {
      return found;
    }
    WorkerHeap heap = new WorkerHeap(needs, ofPool(needs.pool()), strategy, settings);
    heaps.put(needs, heap);
    heaped += heap.weight();
    Iterator<WorkerHeap> oldest = heaps.values().iterator();
    while (heaped > heapedMax && heaps.size() > 1) {
      forget(oldest.next());
      oldest.remove();
    }
    return heap;
  }

  long looks() {
    return looksOfForgotten + heaps.values().stream().mapToLong(WorkerHeap::looks).sum();
  }

  private void forget(WorkerHeap heap) {
    looksOfForgotten += heap.looks();
    heaped -= heap.weight();
  }

  private boolean update(Worker worker) {
    WorkerLoad load = workers.get(worker.id());
    if (load == null) {
      WorkerLoad added = new WorkerLoad(worker);
      workers.put(worker.id(), added);
      attach(added);
      changed(added);
      return true;
    }
    Worker before = load.current();
    if (before.equals(worker)) {
      return false;
    }
    boolean anew = !isSameBesidesLoad(before, worker);
    if (anew) {
      detach(load);
    }
    load.replace(worker);
    if (anew) {
      attach(load);
    }
    changed(load);
    return anew;
  }

  private static boolean isSameBesidesLoad(Worker one, Worker other) {
    return one.traits().equals(other.traits())
        && one.capacity().equals(other.capacity())
        && one.name().equals(other.name())
        && one.condition().isSameBesidesLoad(other.condition());
  }

  private void attach(WorkerLoad load) {
    Worker worker = load.worker();
    name(worker.name(), load);
    name(worker.id().toString(), load);
    worker.traits().pools().forEach(pool -> ofPool(pool).add(load));
    heaps.values().forEach(heap -> heap.joined(load));
    Instant refusesUntil = worker.condition().refusesUntil();
    if (refusesUntil != null) {
      wakes.add(new Wake(refusesUntil, load));
    }
  }

  private void detach(WorkerLoad load) {
    Worker worker = load.worker();
    unname(worker.name(), load);
    unname(worker.id().toString(), load);
    worker.traits().pools().forEach(pool -> ofPool(pool).remove(load));
    heaps.values().forEach(heap -> heap.left(load));
    wakes.removeIf(wake -> wake.load() == load);
  }

  private void name(String name, WorkerLoad load) {
    byName.computeIfAbsent(name, any -> new ArrayList<>(1)).add(load);
  }

  private void unname(String name, WorkerLoad load) {
    byName.computeIfPresent(
        name,
        (same, named) -> {
          named.remove(load);
          return named.isEmpty() ? null : named;
        });
  }

  private void changed(WorkerLoad load) {
    load.changed();
    int freed = load.countFree();
    load.worker().traits().pools().forEach(pool -> ofPool(pool).changed(load, freed));
  }
}
