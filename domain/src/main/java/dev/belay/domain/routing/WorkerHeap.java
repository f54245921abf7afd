package dev.belay.domain.routing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool that meet the same needs, best first. A worker without room leaves the heap
 * when it comes to the top; whatever changes it later puts it back.
 */
final class WorkerHeap {

  private static final long NEVER = -1;

  /** Ranks that are no longer current, and are kept before the heap is built again. */
  private static final int STALE_MIN = 64;

  private final Needs needs;
  private final PoolWorkers workers;
  private final Pool.Strategy strategy;
  private final RoutingSettings settings;
  private final RankHeap ranks = new RankHeap();
  private long seen = NEVER;
  private int members;
  private int usable;
  private long looks;
  private final int weight;

  WorkerHeap(Needs needs, PoolWorkers workers, Pool.Strategy strategy, RoutingSettings settings) {
    this.needs = needs;
    this.workers = workers;
    this.strategy = strategy;
    this.settings = settings;
    workers.candidates(needs).forEach(this::joined);
    this.weight = 1 + members;
  }

  /** Known workers that meet the needs. */
  int members() {
    return members;
  }

  /** Members that take work when they have room. */
  int usable() {
    return usable;
  }

  /** What it costs to keep. */
  int weight() {
    return weight;
  }

  void joined(WorkerLoad load) {
    count(load, 1);
  }

  void left(WorkerLoad load) {
    count(load, -1);
  }

  private void count(WorkerLoad load, int by) {
    if (needs.areMetBy(load.worker())) {
      members += by;
      usable += load.isUsable() ? by : 0;
    }
  }

  /** The best worker with room that is acceptable. It stays in the heap. */
  @Nullable Rank best(Predicate<WorkerLoad> acceptable, Instant now) {
    catchUp();
    List<Rank> passedOver = new ArrayList<>();
    Rank found = null;
    for (Rank top = ranks.peek(); top != null && found == null; top = ranks.peek()) {
      looks++;
      if (!top.isCurrent() || top.load().gate(needs.size(), now) != null) {
        ranks.removeFirst();
      } else if (acceptable.test(top.load())) {
        found = top;
      } else {
        passedOver.add(top);
        ranks.removeFirst();
      }
    }
    passedOver.forEach(ranks::add);
    return found;
  }

  Rank rank(WorkerLoad load) {
    return Rank.of(load, strategy, settings);
  }

  /** Ranks that it keeps, also those that are no longer current. */
  int size() {
    return ranks.size();
  }

  /** How many workers it looked at so far: its cost. */
  long looks() {
    return looks;
  }

  private void catchUp() {
    long end = workers.logEnd();
    boolean hasMuchToLearn = seen == NEVER || !workers.hasLogFrom(seen) || end - seen > members;
    if (hasMuchToLearn || ranks.size() > STALE_MIN + 2 * members) {
      ranks.clear();
      workers.candidates(needs).forEach(this::push);
    } else {
      for (PoolWorkers.Change change : workers.logFrom(seen)) {
        looks++;
        if (change.isLast()) {
          push(change.load());
        }
      }
    }
    seen = end;
  }

  private void push(WorkerLoad load) {
    looks++;
    if (load.isUsable() && needs.areMetBy(load.worker())) {
      ranks.add(rank(load));
    }
  }
}
