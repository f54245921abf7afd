package dev.belay.domain.limit;

import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.limit.Room.Full;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The places that tasks hold: a wide task holds its slots of its pool, and one place of its tenant,
 * its workflow and its concurrency key. Where task queues name a key with different limits, the
 * smallest of those that wait or hold a place counts for all of them. Thread-safe.
 */
public final class Places {

  private final Map<String, Integer> poolSlots = new HashMap<>();
  private final Map<String, Integer> tenants = new HashMap<>();
  private final Map<OfTenant, Integer> workflows = new HashMap<>();

  /** Tasks that hold a place. */
  private final KeyLimits keys = new KeyLimits();

  /** Task queues that wait. */
  private final KeyLimits waiting = new KeyLimits();

  /**
   * Tasks take their places.
   *
   * @param pool in which they run
   */
  public synchronized void add(TaskQueue queue, String pool, int tasks) {
    count(queue, pool, tasks);
  }

  /** Tasks give their places back. */
  public synchronized void remove(TaskQueue queue, String pool, int tasks) {
    count(queue, pool, -tasks);
  }

  /** Tasks wait in this task queue: the limit of its key counts. */
  public synchronized void waits(TaskQueue queue) {
    countWaiting(queue, 1);
  }

  public synchronized void waitsNoMore(TaskQueue queue) {
    countWaiting(queue, -1);
  }

  private void countWaiting(TaskQueue queue, int queues) {
    Concurrency concurrency = queue.concurrency();
    if (concurrency != null) {
      waiting.add(key(queue, concurrency), concurrency.limit(), queues);
    }
  }

  /** Whether task queues that wait name its key with different limits. */
  public synchronized boolean hasSeveralLimits(TaskQueue queue) {
    Concurrency concurrency = queue.concurrency();
    return concurrency != null && waiting.hasSeveral(key(queue, concurrency));
  }

  /** Whether task queues that wait with a larger limit have to obey the limit of this one. */
  public synchronized boolean isObeyed(TaskQueue queue) {
    Concurrency concurrency = queue.concurrency();
    return concurrency != null && waiting.isSmallest(key(queue, concurrency), concurrency.limit());
  }

  private static OfTenant key(TaskQueue queue, Concurrency concurrency) {
    return new OfTenant(queue.tenant(), concurrency.key());
  }

  /** All tasks give their places back. */
  public synchronized void clear() {
    poolSlots.clear();
    tenants.clear();
    workflows.clear();
    keys.clear();
  }

  /**
   * @param pools that may run the tasks
   * @param tokens that the task queue's rate limit has; without one they do not count
   */
  public synchronized Room room(
      TaskQueue queue, Collection<String> pools, Limits limits, int tokens) {
    int room = Room.UNLIMITED;
    List<Full> full = new ArrayList<>();
    for (Bound bound : bounds(queue, limits, tokens)) {
      room = Math.min(room, bound.room(1));
      if (bound.room(1) == 0) {
        full.add(bound.full());
      }
    }
    int slots = queue.placement().size().slots();
    List<Bound> ofPools =
        pools.stream().map(pool -> pool(pool, limits)).filter(Bound::isSet).toList();
    if (!pools.isEmpty() && ofPools.size() == pools.size()) {
      long inPools = ofPools.stream().mapToLong(bound -> bound.room(slots)).sum();
      room = (int) Math.min(room, inPools);
      if (inPools == 0) {
        ofPools.forEach(bound -> full.add(bound.full()));
      }
    }
    return new Room(room, full);
  }

  /**
   * What is held of a limit.
   *
   * @param held more than the limit after it was lowered
   */
  public record Held(LimitKind kind, String name, int held, int limit) {}

  /** What is held of the limits of pools and of tenants. */
  public synchronized List<Held> held(Limits limits) {
    List<Held> all = new ArrayList<>();
    limits
        .poolSlots()
        .forEach(
            (pool, slots) ->
                all.add(
                    new Held(LimitKind.POOL_SLOTS, pool, poolSlots.getOrDefault(pool, 0), slots)));
    limits
        .tenantRunning()
        .forEach(
            (tenant, tasks) ->
                all.add(
                    new Held(
                        LimitKind.TENANT_LIMIT, tenant, tenants.getOrDefault(tenant, 0), tasks)));
    return all;
  }

  /** Whether a task of this size has room within the limit of a pool. */
  public synchronized boolean hasRoom(String pool, Size size, Limits limits) {
    Bound bound = pool(pool, limits);
    return !bound.isSet() || bound.room(size.slots()) > 0;
  }

  private Bound pool(String pool, Limits limits) {
    return new Bound(
        LimitKind.POOL_SLOTS,
        pool,
        poolSlots.getOrDefault(pool, 0),
        limits.poolSlots().getOrDefault(pool, Bound.NONE));
  }

  private List<Bound> bounds(TaskQueue queue, Limits limits, int tokens) {
    List<Bound> bounds = new ArrayList<>();
    String tenant = queue.tenant();
    bounds.add(
        new Bound(
            LimitKind.TENANT_LIMIT,
            tenant,
            tenants.getOrDefault(tenant, 0),
            limits.tenantRunning().getOrDefault(tenant, Bound.NONE)));
    String workflow = queue.workflow();
    if (workflow != null) {
      OfTenant key = new OfTenant(tenant, workflow);
      bounds.add(
          new Bound(
              LimitKind.MAX_TASKS,
              workflow,
              workflows.getOrDefault(key, 0),
              limits.workflowTasks().getOrDefault(key, Bound.NONE)));
    }
    Concurrency concurrency = queue.concurrency();
    if (concurrency != null) {
      OfTenant key = key(queue, concurrency);
      int limit = waiting.smallest(key, keys.smallest(key, concurrency.limit()));
      bounds.add(new Bound(LimitKind.CONCURRENCY, concurrency.key(), keys.count(key), limit));
    }
    RateLimit rate = queue.rateLimit();
    if (rate != null) {
      bounds.add(new Bound(LimitKind.RATE_LIMIT, rate.key(), rate.max() - tokens, rate.max()));
    }
    return bounds.stream().filter(Bound::isSet).toList();
  }

  private void count(TaskQueue queue, String pool, int tasks) {
    BiFunction<Integer, Integer, Integer> sum =
        (held, more) -> held + more == 0 ? null : Integer.valueOf(held + more);
    poolSlots.merge(pool, tasks * queue.placement().size().slots(), sum);
    tenants.merge(queue.tenant(), tasks, sum);
    String workflow = queue.workflow();
    if (workflow != null) {
      workflows.merge(new OfTenant(queue.tenant(), workflow), tasks, sum);
    }
    Concurrency concurrency = queue.concurrency();
    if (concurrency != null) {
      keys.add(key(queue, concurrency), concurrency.limit(), tasks);
    }
  }

  private record Bound(LimitKind kind, String name, int held, int limit) {
    static final int NONE = -1;

    boolean isSet() {
      return limit != NONE;
    }

    int room(int each) {
      return Math.max(0, limit - held) / each;
    }

    Full full() {
      return new Full(kind, name, held, limit);
    }
  }
}
