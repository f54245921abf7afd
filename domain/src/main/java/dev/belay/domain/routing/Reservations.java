package dev.belay.domain.routing;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.HeldTasks.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workers whose slots are kept for wide tasks, one in each pool: otherwise narrow tasks would take
 * each slot as it becomes free. A task of a higher priority may use them, and so may one that ends
 * before the wide task could start.
 */
final class Reservations {

  /** Workers that are compared to find the one that has room soonest. */
  private static final int COMPARED_MAX = 500;

  private final HeldTasks heldTasks;
  private final Duration kept;
  private final Map<String, Reservation> byPool = new LinkedHashMap<>();
  private final Map<WorkerLoad, Reservation> byWorker = new LinkedHashMap<>();

  /**
   * @param startsBy when the worker has room at the latest; null means unknown
   * @param askedAt when a task asked for it last
   */
  private record Reservation(
      Placement placement,
      String pool,
      WorkerLoad load,
      int priority,
      @Nullable Instant startsBy,
      Instant askedAt) {}

  private record Option(String pool, WorkerLoad load, @Nullable Instant hasRoomAt) {
    static final Comparator<Option> ORDER =
        Comparator.comparing(
                Option::hasRoomAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
            .thenComparingInt(option -> -option.load().freeSlots())
            .thenComparing(option -> option.load().id());
  }

  Reservations(HeldTasks heldTasks, Duration kept) {
    this.heldTasks = heldTasks;
    this.kept = kept;
  }

  /** Whether the worker is kept for another task. */
  boolean isKeptFrom(WorkerLoad load, Request request) {
    Reservation reservation = byWorker.get(load);
    if (reservation == null
        || isOver(reservation, request.now())
        || request.priority() > reservation.priority()
        || reservation.placement().equals(request.placement())) {
      return false;
    }
    Duration timeout = request.placement().executionTimeout();
    Instant startsBy = reservation.startsBy();
    return timeout == null || startsBy == null || request.now().plus(timeout).isAfter(startsBy);
  }

  /** No worker has room for this wide task: keeps one of these for it. */
  void refused(
      Request request, List<Needs> pools, Function<Needs, Collection<WorkerLoad>> workers) {
    removeIf(reservation -> isOver(reservation, request.now()));
    Option chosen = null;
    for (Needs needs : pools) {
      Reservation before = byPool.get(needs.pool());
      if (before != null && before.placement().equals(request.placement())) {
        remove(before);
        if (isPossible(before.load(), needs, request)) {
          chosen = new Option(needs.pool(), before.load(), before.startsBy());
        }
      }
    }
    if (chosen == null) {
      chosen =
          pools.stream()
              .filter(needs -> mayReserve(needs.pool(), request))
              .flatMap(needs -> options(request, needs, workers.apply(needs)))
              .min(Option.ORDER)
              .orElse(null);
    }
    if (chosen != null) {
      put(chosen, request);
    }
  }

  /** A task of this placement has a worker. */
  void placed(Placement placement) {
    if (placement.size().slots() > 1) {
      removeIf(reservation -> reservation.placement().equals(placement));
    }
  }

  private boolean mayReserve(String pool, Request request) {
    Reservation before = byPool.get(pool);
    return before == null || request.priority() > before.priority();
  }

  /** Not kept for a task of another pool. */
  private boolean isAvailable(WorkerLoad load, Needs needs) {
    Reservation reservation = byWorker.get(load);
    return reservation == null || reservation.pool().equals(needs.pool());
  }

  private boolean isOver(Reservation reservation, Instant now) {
    return reservation.askedAt().plus(kept).isBefore(now);
  }

  private static boolean isPossible(WorkerLoad load, Needs needs, Request request) {
    return needs.areMetBy(load.worker())
        && switch (load.gate(request.placement().size(), request.now())) {
          case SLOTS, MEMORY, CPU -> true;
          case null -> true;
          default -> false;
        };
  }

  private Stream<Option> options(Request request, Needs needs, Collection<WorkerLoad> workers) {
    return workers.stream()
        .filter(load -> isAvailable(load, needs) && isPossible(load, needs, request))
        .limit(COMPARED_MAX)
        .map(load -> new Option(needs.pool(), load, hasRoomAt(load, needs.size(), request.now())));
  }

  private @Nullable Instant hasRoomAt(WorkerLoad load, Size size, Instant now) {
    Load left = load.held();
    Instant at = now;
    List<Held> held =
        heldTasks.on(load.id()).stream()
            .sorted(
                Comparator.comparing(
                    Held::endsBy, Comparator.nullsLast(Comparator.<Instant>naturalOrder())))
            .toList();
    for (Held task : held) {
      if (load.full(size, left) == null) {
        return at;
      }
      Instant endsBy = task.endsBy();
      if (endsBy == null) {
        return null;
      }
      at = endsBy;
      left = left.minus(task.size());
    }
    return load.full(size, left) == null ? at : null;
  }

  private void put(Option option, Request request) {
    Reservation before = byPool.get(option.pool());
    if (before != null) {
      remove(before);
    }
    Reservation reservation =
        new Reservation(
            request.placement(),
            option.pool(),
            option.load(),
            request.priority(),
            option.hasRoomAt(),
            request.now());
    byPool.put(option.pool(), reservation);
    byWorker.put(option.load(), reservation);
  }

  private void removeIf(Predicate<Reservation> which) {
    List.copyOf(byPool.values()).stream().filter(which).forEach(this::remove);
  }

  private void remove(Reservation reservation) {
    byPool.remove(reservation.pool());
    byWorker.remove(reservation.load());
  }
}
