package dev.belay.engine.dispatch;

import dev.belay.domain.fair.Part;
import dev.belay.domain.limit.LimitKind;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.limit.Places;
import dev.belay.domain.limit.Room;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Request;
import dev.belay.domain.routing.Router;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What may keep the tasks of a task queue from starting. For the tick's thread. */
final class Gates {

  private final Router router;
  private final Places places;
  private final Rules rules;
  private final RateTokens rates;

  /** Tokens that a plan counts on. */
  private final Map<OfTenant, Integer> planned = new HashMap<>();

  Gates(Router router, Places places, Rules rules, RateTokens rates) {
    this.router = router;
    this.places = places;
    this.rules = rules;
    this.rates = rates;
  }

  /** What blocks task queues until it changes. */
  sealed interface Blocker {

    /** All of a group, a tenant or a workflow. */
    record OfPart(Part part) implements Blocker {}

    /** Those of a tenant with this concurrency key. */
    record OfKey(String tenant, String key) implements Blocker {}

    /** Those of a tenant with this rate limit: it has no token. */
    record OfRate(String tenant, String key) implements Blocker {}

    /** Those of a placement: no worker that may run them has room, or their pools have none. */
    record OfPlacement(Placement placement) implements Blocker {}

    default EndsBy endsBy() {
      return switch (this) {
        case OfPart(Part.OfGroup _), OfPlacement _ -> EndsBy.ROOM;
        case OfPart _, OfKey _ -> EndsBy.PLACES;
        case OfRate _ -> EndsBy.TOKENS;
      };
    }
  }

  /** What may end a blocker. */
  enum EndsBy {
    /** Free slots of workers, or of their pools. */
    ROOM,
    /** Free places of a limit that counts tasks. */
    PLACES,
    TOKENS
  }

  /** Null when one more task may start, as far as limits and free slots tell. */
  @Nullable Blocker blocker(OpenQueue item) {
    if (freeSlots(item) > 0) {
      return limit(item);
    }
    return lack(item);
  }

  /** Why the tasks of a task queue that this blocks wait, in the words of {@code waiting}. */
  String reason(OpenQueue item, Blocker blocker, Instant now) {
    return switch (blocker) {
      case Blocker.OfPart(Part.OfTenant _) -> LimitKind.TENANT_LIMIT.word();
      case Blocker.OfPart(Part.OfWorkflow _) -> LimitKind.MAX_TASKS.word();
      case Blocker.OfKey _ -> LimitKind.CONCURRENCY.word();
      case Blocker.OfRate _ -> LimitKind.RATE_LIMIT.word();
      case Blocker.OfPart(Part.OfGroup _), Blocker.OfPlacement _ ->
          router.reason(request(item.spec().placement(), item.priority(), now)).word();
    };
  }

  int freeSlots(OpenQueue item) {
    return router.freeSlots(item.pools());
  }

  /** No worker has room for its tasks. */
  Blocker lack(OpenQueue item) {
    return router.freeSlotsOfGroup(item.group()) == 0
        ? new Blocker.OfPart(new Part.OfGroup(item.group()))
        : new Blocker.OfPlacement(item.spec().placement());
  }

  /** The limit that leaves no room; null when there is room, or tokens may come. */
  @Nullable Blocker limit(OpenQueue item) {
    return limit(item, tokens(item));
  }

  /** The limit that leaves no room now. */
  @Nullable Blocker limitNow(OpenQueue item) {
    return limit(item, rates.has(item.spec()));
  }

  private @Nullable Blocker limit(OpenQueue item, int tokens) {
    if (item.isUnlimited()) {
      return null;
    }
    Room room = room(item, tokens);
    item.unlimited(room.tasks() == Room.UNLIMITED);
    return room.isFull() ? blocker(room.full().getFirst().kind(), item.spec()) : null;
  }

  /** How many more tasks may start, as far as limits tell. */
  Room room(OpenQueue item) {
    return room(item, tokens(item));
  }

  /** Tokens that it has, or gets if this look asks for them, without those of the plan. */
  private int tokens(OpenQueue item) {
    RateLimit rate = item.spec().rateLimit();
    return rate == null
        ? 0
        : Math.max(0, rates.mayHave(item.spec()) - planned.getOrDefault(key(item, rate), 0));
  }

  /** Tasks may wait in this task queue: the limit of its key counts, also for others. */
  void waits(TaskQueue spec) {
    places.waits(spec);
  }

  void waitsNoMore(TaskQueue spec) {
    places.waitsNoMore(spec);
  }

  /** Whether task queues that wait name its key with different limits. */
  boolean hasSeveralLimits(TaskQueue spec) {
    return places.hasSeveralLimits(spec);
  }

  /** Whether others that wait have to obey its limit. */
  boolean isObeyed(TaskQueue spec) {
    return places.isObeyed(spec);
  }

  boolean mayHaveToken(OpenQueue item) {
    return rates.mayHave(item.spec()) > 0;
  }

  private static OfTenant key(OpenQueue item, RateLimit rate) {
    return new OfTenant(item.spec().tenant(), rate.key());
  }

  private Room room(OpenQueue item, int tokens) {
    return places.room(item.spec(), item.pools(), limits(), tokens);
  }

  private static Blocker blocker(LimitKind kind, TaskQueue spec) {
    return switch (kind) {
      case TENANT_LIMIT -> new Blocker.OfPart(new Part.OfTenant(spec.tenant()));
      case MAX_TASKS ->
          new Blocker.OfPart(
              new Part.OfWorkflow(spec.tenant(), Objects.requireNonNull(spec.workflow())));
      case CONCURRENCY ->
          new Blocker.OfKey(spec.tenant(), Objects.requireNonNull(spec.concurrency()).key());
      case RATE_LIMIT ->
          new Blocker.OfRate(spec.tenant(), Objects.requireNonNull(spec.rateLimit()).key());
      case POOL_SLOTS -> new Blocker.OfPlacement(spec.placement());
    };
  }

  /** Whether a worker has room for a task of this placement. */
  boolean hasWorker(Placement placement, int priority, Instant now) {
    return router.canPlace(request(placement, priority, now));
  }

  Request request(Placement placement, int priority, Instant now) {
    Limits limits = limits();
    return Request.of(placement, priority, now)
        .within(pool -> places.hasRoom(pool, placement.size(), limits));
  }

  /** A task of it is planned, so the plan counts it. */
  void plan(OpenQueue item, int tasks) {
    if (!item.isUnlimited()) {
      places.add(item.spec(), item.pools().getFirst(), tasks);
      RateLimit rate = item.spec().rateLimit();
      if (rate != null) {
        planned.merge(
            key(item, rate), tasks, (before, more) -> before + more == 0 ? null : before + more);
      }
    }
  }

  private Limits limits() {
    return rules.declared().limits();
  }
}
