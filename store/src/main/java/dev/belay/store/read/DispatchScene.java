package dev.belay.store.read;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Places;
import dev.belay.domain.limit.Room;
import dev.belay.domain.limit.Room.Full;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Explanation;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Request;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.wait.Blockage;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.engine.port.RoutingReads.Declared;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Workers, limits and what is held of both, as the leader would see them at one moment, under its
 * settings. What only the leader knows, a worker that is kept for a wide task, is not in it.
 * Thread-safe.
 */
final class DispatchScene {

  private static final int HOLDERS_MAX = 5;

  private final Router router;
  private final Places places = new Places();
  private final Declared declared;
  private final List<Held> held;
  private final Map<QueueId, TaskQueue> specs;
  private final Instant now;

  /** Tasks that want the same wait for the same. */
  private final Map<Placement, Explanation> explained = new HashMap<>();

  /**
   * @param specs of the task queues of what is held
   * @param refusals until when workers are not asked
   */
  DispatchScene(
      Holdings holdings,
      Map<QueueId, TaskQueue> specs,
      Declared declared,
      RoutingSettings settings,
      Map<WorkerId, Instant> refusals) {
    this.router = new Router(settings, any -> List.of());
    this.declared = declared;
    this.held = holdings.held();
    this.specs = specs;
    this.now = holdings.now();
    Map<WorkerId, Load> load = new HashMap<>();
    for (Held each : holdings.held()) {
      TaskQueue queue = each.queue() == null ? null : specs.get(each.queue());
      Size size = queue == null ? Size.ONE_SLOT : queue.placement().size();
      load.merge(each.worker(), Load.NONE.plus(size), (one, other) -> one.plus(size));
      if (queue != null) {
        places.add(queue, each.pool(queue), 1);
      }
    }
    router.declare(declared.pools(), declared.topics());
    router.replace(
        holdings.workers().stream()
            .map(
                worker ->
                    worker
                        .holding(load.getOrDefault(worker.id(), Load.NONE))
                        .refusing(refusals.get(worker.id())))
            .toList());
  }

  /**
   * What blocks the tasks of this task queue, if anything does.
   *
   * @param strictest waits, too: the limit of its key counts
   * @param tokens of its rate limit, if it has one
   */
  synchronized Blockage blockage(TaskQueue queue, TaskQueue strictest, int tokens, int priority) {
    Placement placement = queue.placement();
    places.waits(strictest);
    Room room = places.room(queue, router.pools(placement), declared.limits(), tokens);
    places.waitsNoMore(strictest);
    return new Blockage(
        placement,
        room,
        explained.computeIfAbsent(placement, any -> explain(any, priority)),
        List.of(),
        null);
  }

  /** Some of the dispatches that hold places of a limit that leaves this task queue no room. */
  List<DispatchId> holders(TaskQueue queue, Full full) {
    return held.stream()
        .filter(
            each -> {
              TaskQueue other = each.queue() == null ? null : specs.get(each.queue());
              return other != null && holds(each, other, queue, full);
            })
        .limit(HOLDERS_MAX)
        .map(Held::dispatch)
        .toList();
  }

  private static boolean holds(Held each, TaskQueue other, TaskQueue queue, Full full) {
    boolean sameTenant = other.tenant().equals(queue.tenant());
    TaskQueue.Concurrency key = other.concurrency();
    return switch (full.kind()) {
      case POOL_SLOTS -> full.name().equals(each.pool(other));
      case TENANT_LIMIT -> sameTenant;
      case MAX_TASKS -> sameTenant && full.name().equals(other.workflow());
      case CONCURRENCY -> sameTenant && key != null && full.name().equals(key.key());
      case RATE_LIMIT -> false; // Starts use it up, nobody holds it.
    };
  }

  private Explanation explain(Placement placement, int priority) {
    var request =
        Request.of(placement, priority, now)
            .within(pool -> places.hasRoom(pool, placement.size(), declared.limits()));
    return router.explain(request, 0);
  }
}
