package dev.belay.engine.dispatch;

import dev.belay.engine.dispatch.Gates.Blocker;
import dev.belay.engine.dispatch.Gates.EndsBy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The task queues that something blocks. What becomes free is compared only with what it may end:
 * room of workers with no key, however many keys are full. For the tick's thread.
 */
final class BlockedQueues {

  private final Map<EndsBy, Map<Blocker, Blocked>> blocked = new EnumMap<>(EndsBy.class);

  /** The task queues that one thing blocks, but for those that keep their place in the order. */
  private static final class Blocked {
    final Set<OpenQueue> items = new LinkedHashSet<>();

    /** The best priority of a task that was blocked. */
    int priority;
  }

  BlockedQueues() {
    for (EndsBy each : EndsBy.values()) {
      blocked.put(each, new LinkedHashMap<>());
    }
  }

  private Map<Blocker, Blocked> like(Blocker blocker) {
    return blocked.getOrDefault(blocker.endsBy(), Map.of());
  }

  /** Something blocks task queues that keep their place in the order. */
  void add(Blocker blocker) {
    like(blocker).computeIfAbsent(blocker, any -> new Blocked());
  }

  void add(Blocker blocker, OpenQueue item) {
    Blocked all = like(blocker).computeIfAbsent(blocker, any -> new Blocked());
    all.items.add(item);
    all.priority = Math.max(all.priority, item.priority());
  }

  void remove(Blocker blocker, OpenQueue item) {
    Blocked others = like(blocker).get(blocker);
    if (others != null) {
      others.items.remove(item);
      // The order knows of a part that is closed: somebody has to open it.
      if (others.items.isEmpty() && !(blocker instanceof Blocker.OfPart)) {
        like(blocker).remove(blocker);
      }
    }
  }

  /** It blocks nothing any more: returns what waited for it. */
  Set<OpenQueue> remove(Blocker blocker) {
    Blocked waiting = like(blocker).remove(blocker);
    return waiting == null ? Set.of() : waiting.items;
  }

  Set<OpenQueue> items(Blocker blocker) {
    Blocked waiting = like(blocker).get(blocker);
    return waiting == null ? Set.of() : waiting.items;
  }

  int priority(Blocker blocker) {
    Blocked waiting = like(blocker).get(blocker);
    return waiting == null ? 0 : waiting.priority;
  }

  List<Blocker> by(EndsBy change) {
    return List.copyOf(blocked.getOrDefault(change, Map.of()).keySet());
  }

  List<Blocker> all() {
    List<Blocker> all = new ArrayList<>();
    blocked.values().forEach(some -> all.addAll(some.keySet()));
    return all;
  }

  boolean isEmpty() {
    return blocked.values().stream().allMatch(Map::isEmpty);
  }
}
