package dev.belay.domain.routing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The workers of a pool, found by capability and label, and a log of those that changed, so that
 * each heap catches up when it is used.
 */
final class PoolWorkers {

  private static final int LOG_MIN = 1_024;

  private final Set<WorkerLoad> workers = new LinkedHashSet<>();
  private final Map<String, Set<WorkerLoad>> byCapability = new HashMap<>();
  private final Map<Map.Entry<String, String>, Set<WorkerLoad>> byLabel = new HashMap<>();
  private final List<Change> log = new ArrayList<>();
  private long logStart;
  private int freeSlots;

  record Change(WorkerLoad load, long version) {
    boolean isLast() {
      return version == load.version();
    }
  }

  void add(WorkerLoad load) {
    workers.add(load);
    freeSlots += load.countedFree();
    Worker.Traits traits = load.worker().traits();
    traits.capabilities().forEach(name -> put(byCapability, name, load));
    traits.labels().entrySet().forEach(label -> put(byLabel, label, load));
  }

  void remove(WorkerLoad load) {
    workers.remove(load);
    freeSlots -= load.countedFree();
    Worker.Traits traits = load.worker().traits();
    traits.capabilities().forEach(name -> take(byCapability, name, load));
    traits.labels().entrySet().forEach(label -> take(byLabel, label, load));
  }

  boolean isEmpty() {
    return workers.isEmpty();
  }

  /** Contains all workers that meet the needs, and as few others as an index can tell. */
  Collection<WorkerLoad> candidates(Needs needs) {
    Collection<WorkerLoad> fewest = workers;
    for (String capability : needs.capabilities()) {
      fewest = fewer(fewest, byCapability.getOrDefault(capability, Set.of()));
    }
    for (Map.Entry<String, String> constraint : needs.constraints().entrySet()) {
      Set<WorkerLoad> named = new LinkedHashSet<>(byLabel.getOrDefault(constraint, Set.of()));
      Needs.withoutPrefix(constraint.getKey())
          .map(name -> byLabel.get(Map.entry(name, constraint.getValue())))
          .ifPresent(named::addAll);
      fewest = fewer(fewest, named);
    }
    return fewest;
  }

  /** Free slots of the workers that take work. */
  int freeSlots() {
    return freeSlots;
  }

  /** Whether one of them takes work when it has room. */
  boolean takesWork() {
    return freeSlots > 0 || workers.stream().anyMatch(WorkerLoad::isUsable);
  }

  /**
   * @param freed free slots that it has more than before
   */
  void changed(WorkerLoad load, int freed) {
    freeSlots += freed;
    if (log.size() >= LOG_MIN + 4 * workers.size()) {
      logStart += log.size();
      log.clear();
    }
    log.add(new Change(load, load.version()));
  }

  /** The position behind the last change. */
  long logEnd() {
    return logStart + log.size();
  }

  /** Whether the log still has all changes from a position on. */
  boolean hasLogFrom(long position) {
    return position >= logStart;
  }

  List<Change> logFrom(long position) {
    return log.subList((int) (position - logStart), log.size());
  }

  private static Collection<WorkerLoad> fewer(
      Collection<WorkerLoad> some, Collection<WorkerLoad> others) {
    return others.size() < some.size() ? others : some;
  }

  private static <K> void put(Map<K, Set<WorkerLoad>> index, K key, WorkerLoad load) {
    index.computeIfAbsent(key, any -> new LinkedHashSet<>()).add(load);
  }

  private static <K> void take(Map<K, Set<WorkerLoad>> index, K key, WorkerLoad load) {
    Set<WorkerLoad> found = index.get(key);
    if (found != null && found.remove(load) && found.isEmpty()) {
      index.remove(key);
    }
  }
}
