package dev.belay.simulation;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.Observed.Place;
import dev.belay.simulation.Observed.TaskChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * No limit is exceeded, counted from the rows of the tasks that hold places: never that of a key,
 * and none that was declared when it was claimed. No more tasks of a rate limit start than its
 * bucket and its flow allow, by the database's clock. A full key ends only tasks that its rule
 * says.
 */
final class LimitWatch {

  /** How long a leader that is frozen, or reads slowly, may go by limits that were changed. */
  private static final Duration LATE_MAX = Duration.ofMinutes(2);

  private static final double ROUNDING = 1e-3;

  private final Observed observed;
  private final World world;
  private final Deque<InForce> limits = new ArrayDeque<>();
  private final Map<String, Level> levels = new HashMap<>();
  private Map<String, Integer> keysBefore = Map.of();

  /** Since when tasks were SCHEDULED last. */
  private final Map<TaskId, Long> waitsSince = new HashMap<>();

  /** When keys were full last. */
  private final Map<String, Long> fullUntil = new HashMap<>();

  private long checkedAt;
  private Duration offset = Duration.ZERO;

  /**
   * @param until in nanoseconds; the last ones are in force still
   */
  private record InForce(Limits limits, long until) {}

  private record Level(double tokens) {}

  LimitWatch(Observed observed, World world) {
    this.observed = observed;
    this.world = world;
    Limiting.RATES.forEach((name, rate) -> levels.put(name, new Level(rate.max())));
  }

  /** Whether a key may have ended a task like this. */
  boolean mayEnd(TaskChange change) {
    if (!world.scenario.hasLimits()
        || !Expected.reason(change.reason()).equals(AbortReason.CONCURRENCY_KEY.word())) {
      return false;
    }
    TaskQueue queue = observed.queues(List.of(change.task())).get(change.task());
    Concurrency rule = queue == null ? null : queue.concurrency();
    boolean waited = change.from() == TaskState.SCHEDULED;
    return rule != null
        && rule.onConflict() == (waited ? OnConflict.CANCEL_NEW : OnConflict.CANCEL_RUNNING);
  }

  void check(List<TaskChange> changes) {
    noteLimits();
    if (changes.isEmpty()) {
      return;
    }
    List<Place> places = observed.places();
    Map<String, Integer> keys = count(places, place -> key(place.queue()));
    Set<TaskId> claimed = new HashSet<>();
    for (TaskChange change : changes) {
      if (isClaim(change)) {
        claimed.add(change.task());
      }
    }
    checkKeys(keys);
    checkDeclared(places, claimed);
    checkRates(changes, claimed);
    noteWaits(changes, claimed);
    checkConflicts(changes, keys);
    keysBefore = keys;
  }

  /**
   * Call after each step. What may have flowed into a bucket: a clock that is set forward fills it.
   * Claims of this step may have come before the time that it took, so only the next one finds the
   * bucket no fuller than its size.
   */
  void noteTime() {
    long now = world.scheduler.nanos();
    Duration stepped = world.databaseOffset().minus(offset);
    double passed = (now - checkedAt) / 1e9 + Math.max(0, stepped.toNanos() / 1e9);
    checkedAt = now;
    offset = world.databaseOffset();
    levels.replaceAll(
        (name, level) -> {
          RateLimit rate = rate(name);
          return new Level(Math.min(rate.max(), level.tokens()) + passed * rate.perSecond());
        });
  }

  private static RateLimit rate(String name) {
    RateLimit rate = Limiting.RATES.get(name);
    if (rate == null) {
      throw new IllegalStateException("no rate " + name);
    }
    return rate;
  }

  private void noteLimits() {
    Limits now = observed.limits();
    long at = world.scheduler.nanos();
    if (limits.isEmpty() || !limits.getLast().limits().equals(now)) {
      if (!limits.isEmpty()) {
        InForce before = limits.removeLast();
        limits.addLast(new InForce(before.limits(), at));
      }
      limits.addLast(new InForce(now, Long.MAX_VALUE));
    }
    while (limits.getFirst().until() < at - LATE_MAX.toNanos()) {
      limits.removeFirst();
    }
  }

  /** A remark about a task that is DISPATCHED is none. */
  private static boolean isClaim(TaskChange change) {
    return change.from() == TaskState.SCHEDULED && change.to() == TaskState.DISPATCHED;
  }

  private static @Nullable String key(TaskQueue queue) {
    Concurrency rule = queue.concurrency();
    return rule == null ? null : rule.key();
  }

  private static <K> Map<K, Integer> count(
      Collection<Place> places, Function<Place, @Nullable K> name) {
    Map<K, Integer> counts = new HashMap<>();
    for (Place place : places) {
      K key = name.apply(place);
      if (key != null) {
        counts.merge(key, 1, Integer::sum);
      }
    }
    return counts;
  }

  private static int limit(String key) {
    Concurrency rule = Limiting.KEYS.get(key);
    return rule == null ? 0 : rule.limit();
  }

  private static void checkKeys(Map<String, Integer> keys) {
    keys.forEach(
        (key, held) ->
            Invariants.unless(
                held <= limit(key),
                Invariant.LIMITS,
                () -> "%d tasks hold the key %s".formatted(held, key)));
  }

  private void checkDeclared(List<Place> places, Set<TaskId> claimed) {
    List<Place> fresh = places.stream().filter(place -> claimed.contains(place.task())).toList();
    Map<String, Integer> pools = count(places, Place::pool);
    Map<OfTenant, Integer> workflows = count(places, LimitWatch::workflow);
    for (Place place : fresh) {
      exceeds(
          "pool " + place.pool(),
          pools.get(place.pool()),
          each -> each.poolSlots().get(place.pool()));
      String tenant = place.queue().tenant();
      exceeds("tenant " + tenant, places.size(), each -> each.tenantRunning().get(tenant));
      OfTenant workflow = workflow(place);
      if (workflow != null) {
        exceeds(
            "workflow " + workflow.name(),
            workflows.get(workflow),
            each -> each.workflowTasks().get(workflow));
      }
    }
  }

  private static @Nullable OfTenant workflow(Place place) {
    String workflow = place.queue().workflow();
    return workflow == null ? null : new OfTenant(place.queue().tenant(), workflow);
  }

  private void exceeds(
      String what, @Nullable Integer held, Function<Limits, @Nullable Integer> limit) {
    OptionalInt most =
        limits.stream()
            .map(each -> limit.apply(each.limits()))
            .mapToInt(each -> each == null ? Integer.MAX_VALUE : each)
            .max();
    Invariants.unless(
        held == null || held <= most.orElse(Integer.MAX_VALUE),
        Invariant.LIMITS,
        () -> "%d places of the %s are taken, of %d".formatted(held, what, most.orElse(0)));
  }

  private void checkRates(List<TaskChange> changes, Set<TaskId> claimed) {
    Map<TaskId, TaskQueue> queues = observed.queues(claimed);
    for (TaskChange change : changes) {
      TaskQueue queue = isClaim(change) ? queues.get(change.task()) : null;
      RateLimit rate = queue == null ? null : queue.rateLimit();
      if (rate != null) {
        double left = Objects.requireNonNull(levels.get(rate.key())).tokens() - 1;
        Invariants.unless(
            left > -ROUNDING,
            Invariant.RATES,
            () -> "a task starts too early by the rate %s: %s".formatted(rate.key(), change));
        levels.put(rate.key(), new Level(left));
      }
    }
  }

  /**
   * The statement saw the task wait and the key full at one instant. It may be slow after that, and
   * the holder may end meanwhile.
   */
  private void checkConflicts(List<TaskChange> changes, Map<String, Integer> keys) {
    for (TaskChange change : changes) {
      if (change.from() == TaskState.SCHEDULED && mayEnd(change)) {
        TaskQueue queue = observed.queues(List.of(change.task())).get(change.task());
        String key = queue == null ? null : key(queue);
        long since = waitsSince.getOrDefault(change.task(), Long.MAX_VALUE);
        Invariants.unless(
            key != null
                && (isFull(key, keys) || since <= fullUntil.getOrDefault(key, Long.MIN_VALUE)),
            Invariant.CANCELLED_ONLY_IF_ASKED,
            () -> "the key %s had a place: %s".formatted(key, change));
      }
    }
  }

  /** Call before the checks. */
  private void noteWaits(List<TaskChange> changes, Set<TaskId> claimed) {
    long now = world.scheduler.nanos();
    for (TaskChange change : changes) {
      if (change.to() == TaskState.SCHEDULED) {
        waitsSince.put(change.task(), now);
      }
    }
    // A task that began and ended between two checks held its key, too.
    Map<String, Integer> most = new HashMap<>(keysBefore);
    for (TaskQueue queue : observed.queues(claimed).values()) {
      String key = key(queue);
      if (key != null) {
        most.merge(key, 1, Integer::sum);
      }
    }
    most.keySet().stream().filter(key -> isFull(key, most)).forEach(key -> fullUntil.put(key, now));
  }

  private static boolean isFull(String key, Map<String, Integer> keys) {
    return keys.getOrDefault(key, 0) >= limit(key);
  }
}
