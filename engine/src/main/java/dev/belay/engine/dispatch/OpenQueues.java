package dev.belay.engine.dispatch;

import dev.belay.domain.fair.Ageing;
import dev.belay.domain.fair.FairOrder;
import dev.belay.domain.fair.Part;
import dev.belay.domain.fair.Turn;
import dev.belay.domain.fair.Waiting;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Router;
import dev.belay.engine.dispatch.Gates.Blocker;
import dev.belay.engine.dispatch.Gates.EndsBy;
import dev.belay.engine.dispatch.WaitingQueues.News;
import dev.belay.engine.port.DispatchStore.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The task queues that wait, in fair order. A task queue that something blocks is not looked at
 * again until that changes: a place of its limit or key becomes free, or a worker has room for it.
 * So a round costs as much as what changed since the last one. For the tick's thread.
 */
final class OpenQueues {

  /** Tasks that one look reads beyond twice the free slots. */
  private static final int SPARE = 16;

  /** Tasks that one look reads at most. */
  private static final int TASKS_MAX = 10_000;

  /**
   * Task queues whose limits others obey, and of which each tick asks whether a task waits there.
   */
  private static final int DOUBTED_MAX = 1_000;

  private final Router router;
  private final Gates gates;
  private final FairOrder<QueueId> order;
  private final PlacementRefusals refusals = new PlacementRefusals();
  private final Map<QueueId, OpenQueue> items = new HashMap<>();
  private final BlockedQueues blocked = new BlockedQueues();

  /** A task may wait in these, but nobody knows of which priority: a read finds out. */
  private final Set<OpenQueue> unread = new LinkedHashSet<>();

  private @Nullable Object grouping;

  OpenQueues(Router router, Gates gates, Ageing ageing) {
    this.router = router;
    this.gates = gates;
    this.order = new FairOrder<>(ageing);
  }

  PlacementRefusals refusals() {
    return refusals;
  }

  void weigh(Map<String, Integer> weights) {
    order.weigh(weights);
  }

  /**
   * @param specs of those in the news that exist
   */
  void learn(News news, Map<QueueId, TaskQueue> specs, Instant now) {
    news.found()
        .forEach(
            (id, priority) -> {
              OpenQueue item = item(id, specs);
              if (item != null && item.blocker == null && !item.unread) {
                // Nobody knows since when it waits: with ageing, it is read soon.
                offer(item, priority, Instant.EPOCH, now);
              } else if (item != null) {
                unread(item);
              }
            });
    for (QueueId id : news.hinted()) {
      OpenQueue item = item(id, specs);
      if (item != null) {
        unread(item);
      }
    }
  }

  private @Nullable OpenQueue item(QueueId id, Map<QueueId, TaskQueue> specs) {
    OpenQueue known = items.get(id);
    TaskQueue spec = specs.get(id);
    if (known != null || spec == null) {
      return known;
    }
    OpenQueue item = new OpenQueue(id, spec, router);
    items.put(id, item);
    gates.waits(spec);
    item.doubted = gates.isObeyed(spec); // Its task may be gone again.
    return item;
  }

  /** A task queue that something blocks stays blocked; a read follows when that is over. */
  private void unread(OpenQueue item) {
    item.unread = true;
    if (item.blocker == null) {
      unread.add(item);
    }
  }

  /** How many tasks of which task queues the next look should read. */
  Map<OpenQueue, Integer> plan(Instant now) {
    Map<OpenQueue, Integer> takes = new LinkedHashMap<>();
    List<OpenQueue> reading = new ArrayList<>();
    for (OpenQueue item : unread.stream().limit(TASKS_MAX).toList()) {
      Blocker blocker = gates.blocker(item);
      if (blocker == null || item.doubted) {
        reading.add(item);
      } else {
        block(item, blocker, now);
      }
    }
    for (OpenQueue item : reading) {
      int slots = gates.freeSlots(item);
      int share = Math.ceilDiv(2 * Math.min(slots, TASKS_MAX), reading.size());
      int take = Math.clamp(slots / item.slots(), 1, Math.max(1, share));
      int room = item.isUnlimited() ? take : Math.min(take, gates.room(item).tasks());
      takes.put(item, Math.max(1, room));
      order.hold(item.id); // Until it is read.
    }
    planned(now).forEach(takes::put);
    return takes;
  }

  private Map<OpenQueue, Integer> planned(Instant now) {
    Map<OpenQueue, Integer> tasks = new LinkedHashMap<>();
    Map<String, Integer> slotsOfGroup = new HashMap<>();
    Set<OpenQueue> skipped = new LinkedHashSet<>();
    var _ =
        order.plan(
            id -> {
              OpenQueue item = known(id);
              Turn turn = turn(item, tasks, slotsOfGroup);
              if (turn == Turn.TAKE) {
                tasks.merge(item, 1, Integer::sum);
                slotsOfGroup.merge(item.group, item.slots(), Integer::sum);
                gates.plan(item, 1);
              } else {
                skipped.add(item);
              }
              return turn;
            },
            id -> known(id).slots(),
            TASKS_MAX,
            now);
    tasks.forEach((item, count) -> gates.plan(item, -count));
    for (OpenQueue item : skipped) {
      Blocker blocker = gates.blocker(item);
      if (blocker != null) {
        block(item, blocker, now);
      }
    }
    return tasks;
  }

  private Turn turn(
      OpenQueue item, Map<OpenQueue, Integer> tasks, Map<String, Integer> slotsOfGroup) {
    int ofGroup = slotsOfGroup.getOrDefault(item.group, 0);
    if (ofGroup > 0 && ofGroup >= 2 * router.freeSlotsOfGroup(item.group) + SPARE) {
      return Turn.SKIP_GROUP;
    }
    int own = tasks.getOrDefault(item, 0);
    if (own > 0 && (own + 1) * item.slots() > gates.freeSlots(item)) {
      return Turn.SKIP_QUEUE;
    }
    return switch (gates.blocker(item)) {
      case null -> Turn.TAKE;
      case Blocker.OfPart(Part.OfGroup _) -> Turn.SKIP_GROUP;
      case Blocker.OfPart(Part.OfTenant _) -> Turn.SKIP_TENANT;
      case Blocker.OfPart(Part.OfWorkflow _) -> Turn.SKIP_WORKFLOW;
      case Blocker.OfKey _, Blocker.OfRate _, Blocker.OfPlacement _ -> Turn.SKIP_QUEUE;
    };
  }

  /** A read found this first task of it. */
  void read(OpenQueue item, Candidate first, Instant now) {
    item.unread = false;
    item.doubted = false;
    unread.remove(item);
    offer(item, first.priority(), readySince(first), now);
  }

  private static Instant readySince(Candidate first) {
    return Instant.ofEpochMilli((long) (first.readySince() * 1_000));
  }

  private void offer(OpenQueue item, int priority, Instant since, Instant now) {
    var waiting =
        new Waiting(item.group, item.spec.tenant(), item.spec.workflow(), priority, since);
    item.waiting = waiting;
    order.offer(item.id, waiting, now);
  }

  /** The task queue whose first task is next. */
  Optional<OpenQueue> next(Instant now) {
    return order.next(now).map(this::known);
  }

  /** Whether a task may wait that could start. */
  boolean hasNext(Instant now) {
    return !unread.isEmpty() || order.next(now).isPresent();
  }

  /** A task of it takes its slots. */
  void took(OpenQueue item) {
    order.took(item.id, item.slots());
  }

  /** No task waits in it, as far as known. */
  void empty(OpenQueue item) {
    unread.remove(item);
    unblock(item);
    order.leave(item.id);
    if (items.remove(item.id) != null) {
      boolean severalLimits = gates.hasSeveralLimits(item.spec);
      gates.waitsNoMore(item.spec);
      if (severalLimits) {
        wakeKey(item.spec); // Its limit may have been the smallest.
      }
    }
  }

  /** Others were found to be empty by somebody else. */
  void keep(Set<QueueId> known) {
    items.values().stream().filter(item -> !known.contains(item.id)).toList().forEach(this::empty);
  }

  /** Nothing of it starts until the blocker changes. */
  void block(OpenQueue item, Blocker blocker, Instant now) {
    refusals.add(gates.reason(item, blocker, now));
    if (blocker instanceof Blocker.OfPart(var part)) {
      order.close(part);
      if (!item.unread) {
        blocked.add(blocker);
        return; // It keeps its place: the order closes all of them at once.
      }
    }
    unread.remove(item);
    order.hold(item.id);
    item.blocker = blocker;
    blocked.add(blocker, item);
  }

  /** Whether something waits for a place or for room. */
  boolean isBlocked() {
    return !blocked.isEmpty();
  }

  private void unblock(OpenQueue item) {
    Blocker blocker = item.blocker;
    if (blocker != null) {
      item.blocker = null;
      blocked.remove(blocker, item);
    }
  }

  /** Places of these limits are free. */
  void freed(TaskQueue spec) {
    wake(new Blocker.OfPart(new Part.OfTenant(spec.tenant())));
    if (spec.workflow() != null) {
      wake(new Blocker.OfPart(new Part.OfWorkflow(spec.tenant(), spec.workflow())));
    }
    wakeKey(spec);
  }

  private void wakeKey(TaskQueue spec) {
    if (spec.concurrency() != null) {
      wake(new Blocker.OfKey(spec.tenant(), spec.concurrency().key()));
    }
  }

  /** Workers have room that had none, or pools have. */
  void roomChanged(Instant now) {
    for (Blocker blocker : blocked.by(EndsBy.ROOM)) {
      boolean over =
          switch (blocker) {
            case Blocker.OfPart(Part.OfGroup(var group)) -> router.freeSlotsOfGroup(group) > 0;
            case Blocker.OfPlacement(var placement) ->
                gates.hasWorker(placement, blocked.priority(blocker), now);
            case Blocker.OfPart _, Blocker.OfKey _, Blocker.OfRate _ -> false;
          };
      if (over) {
        wake(blocker);
      }
    }
  }

  /** Rate limits may have a token that had none. */
  void tokensMayHaveCome() {
    for (Blocker blocker : blocked.by(EndsBy.TOKENS)) {
      if (blocked.items(blocker).stream().anyMatch(gates::mayHaveToken)) {
        wake(blocker);
      }
    }
  }

  private void wake(Blocker blocker) {
    Set<OpenQueue> waiting = blocked.remove(blocker);
    if (blocker instanceof Blocker.OfPart(var part)) {
      order.open(part);
    }
    waiting.forEach(this::wake);
  }

  private void wake(OpenQueue item) {
    item.blocker = null;
    if (item.unread) {
      unread.add(item);
    } else {
      order.release(item.id);
    }
  }

  /** Limits, pools or topics are not what they were, or another leadership begins. */
  void wakeAll(Instant now) {
    items
        .values()
        .forEach(
            item -> {
              item.unlimited = false;
              item.pools = router.pools(item.spec.placement());
              item.group = router.group(item.spec.placement());
            });
    blocked.all().forEach(this::wake);
    // Also when the pools share workers as before: a topic may lead to others of them.
    group(now);
    doubtLimits(Integer.MAX_VALUE);
  }

  /** Reads task queues whose limits others obey: they count only while tasks wait in them. */
  void doubtLimits() {
    doubtLimits(DOUBTED_MAX);
  }

  private void doubtLimits(int max) {
    items.values().stream()
        .filter(item -> gates.isObeyed(item.spec))
        .limit(max)
        .toList()
        .forEach(this::doubt);
  }

  private void doubt(OpenQueue item) {
    unblock(item);
    order.hold(item.id);
    item.doubted = true;
    unread(item);
  }

  /** Pools may share workers that did not, or no longer do. */
  void regroup(Instant now) {
    if (!router.grouping().equals(grouping)) {
      group(now);
    }
  }

  private void group(Instant now) {
    grouping = router.grouping();
    for (OpenQueue item : items.values()) {
      item.group = router.group(item.spec.placement());
      Waiting waiting = item.waiting;
      if (waiting != null && !waiting.group().equals(item.group)) {
        boolean isHeld = item.blocker != null || item.unread;
        offer(item, waiting.priority(), waiting.since(), now);
        if (isHeld) {
          order.hold(item.id);
        }
      }
    }
    for (Blocker blocker : blocked.by(EndsBy.ROOM)) {
      if (blocker instanceof Blocker.OfPart(Part.OfGroup _)) {
        wake(blocker);
      }
    }
  }

  private OpenQueue known(QueueId id) {
    OpenQueue item = items.get(id);
    if (item == null) {
      throw new IllegalStateException("nobody knows the task queue " + id);
    }
    return item;
  }
}
