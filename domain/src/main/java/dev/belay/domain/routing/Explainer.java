package dev.belay.domain.routing;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Explanation.Considered;
import dev.belay.domain.routing.Explanation.Eligible;
import dev.belay.domain.routing.Explanation.Excluded;
import dev.belay.domain.routing.Explanation.Slots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at every worker with the predicates by which the router chooses. */
final class Explainer {

  private final Request request;
  private final List<Pool> pools;
  private final Fleet fleet;
  private final Reservations reservations;

  /** A worker that may run the task, or the gate that excludes it. */
  private sealed interface Look {}

  private record May(WorkerLoad load, Pool pool, Rank rank) implements Look {}

  private record MayNot(WorkerLoad load, @Nullable Pool pool, WorkerGate gate) implements Look {}

  /**
   * @param pools that are active
   */
  Explainer(Request request, List<Pool> pools, Fleet fleet, Reservations reservations) {
    this.request = request;
    this.pools = pools;
    this.fleet = fleet;
    this.reservations = reservations;
  }

  Explanation explain(@Nullable WorkerLoad chosen, @Nullable Refused refused, int workersMax) {
    List<May> eligible = new ArrayList<>();
    List<MayNot> others = new ArrayList<>();
    for (WorkerLoad load : fleet.all()) {
      switch (besideChosen(look(load), chosen)) {
        case May may -> eligible.add(may);
        case MayNot not -> others.add(not);
      }
    }
    eligible.sort(
        Comparator.<May, Boolean>comparing(may -> may.load() != chosen).thenComparing(May::rank));
    others.sort(Comparator.comparing(MayNot::gate).thenComparing(not -> not.load().id()));
    List<Considered> listed = new ArrayList<>();
    eligible.stream().limit(workersMax).forEach(may -> listed.add(considered(may, chosen)));
    others.stream().limit(workersMax - listed.size()).forEach(not -> listed.add(considered(not)));
    return new Explanation(
        refused, listed, eligible.size(), counts(others), slots(eligible, others));
  }

  private Look look(WorkerLoad load) {
    MayNot last = new MayNot(load, null, WorkerGate.OTHER_POOL);
    for (Pool pool : pools) {
      WorkerGate gate = gate(load, pool);
      if (gate == null) {
        Needs needs = Needs.of(request.placement(), pool);
        return new May(load, pool, fleet.heap(needs, pool.strategy()).rank(load));
      }
      if (gate.compareTo(last.gate()) > 0) {
        last = new MayNot(load, pool, gate);
      }
    }
    return last;
  }

  private @Nullable WorkerGate gate(WorkerLoad load, Pool pool) {
    Needs needs = Needs.of(request.placement(), pool);
    WorkerGate unmet = needs.gate(load.worker());
    if (unmet != WorkerGate.OTHER_POOL && !request.poolHasRoom().test(pool.name())) {
      return WorkerGate.POOL_SLOTS;
    }
    if (unmet != null) {
      return unmet;
    }
    WorkerGate busy = load.gate(needs.size(), request.now());
    if (busy != null) {
      return busy;
    }
    return reservations.isKeptFrom(load, request) ? WorkerGate.RESERVED : null;
  }

  /** Some are excluded only because of the one that is chosen. */
  private Look besideChosen(Look look, @Nullable WorkerLoad chosen) {
    if (!(look instanceof May may) || chosen == null || may.load() == chosen) {
      return look;
    }
    if (may.rank().overloaded() && !fleet.isOverloaded(chosen)) {
      return new MayNot(may.load(), may.pool(), WorkerGate.OVERLOADED);
    }
    return may.load().id().equals(request.avoid())
        ? new MayNot(may.load(), may.pool(), WorkerGate.FAILED_HERE)
        : may;
  }

  private static Considered considered(May may, @Nullable WorkerLoad chosen) {
    Worker worker = may.load().worker();
    return new Considered(
        worker.id(),
        worker.name(),
        may.pool().name(),
        new Eligible(may.load().score(), may.rank().lastChoice(), may.load() == chosen));
  }

  private Considered considered(MayNot not) {
    Worker worker = not.load().worker();
    Pool pool = not.pool();
    return new Considered(
        worker.id(),
        worker.name(),
        pool == null ? null : pool.name(),
        new Excluded(not.gate(), detail(not)));
  }

  private static Map<WorkerGate, Integer> counts(List<MayNot> others) {
    Map<WorkerGate, Integer> counts = new EnumMap<>(WorkerGate.class);
    others.forEach(not -> counts.merge(not.gate(), 1, Integer::sum));
    return counts;
  }

  private static Slots slots(List<May> eligible, List<MayNot> others) {
    List<WorkerLoad> usable = new ArrayList<>(eligible.stream().map(May::load).toList());
    others.stream()
        .filter(not -> not.gate().compareTo(WorkerGate.REFUSED) >= 0)
        .forEach(not -> usable.add(not.load()));
    int total = usable.stream().mapToInt(load -> load.worker().capacity().slots()).sum();
    int free = usable.stream().mapToInt(load -> Math.max(0, load.freeSlots())).sum();
    return new Slots(total - free, total);
  }

  private String detail(MayNot not) {
    Worker worker = not.load().current();
    Size size = request.placement().size();
    return switch (not.gate()) {
      case OTHER_POOL -> "is in " + String.join(", ", new TreeSet<>(worker.traits().pools()));
      case POOL_SLOTS -> "its pool has no slot left";
      case CAPABILITY -> "lacks " + String.join(", ", missing(worker, not.pool()));
      case LABEL -> String.join(", ", mismatches(worker));
      case TOO_SMALL ->
          "has %s, the task needs %s".formatted(sizes(worker.capacity()), sizes(size));
      case DISCONNECTED -> "is not connected";
      case SILENT -> "is silent";
      case DRAINING -> "is draining";
      case TROUBLED -> "is in trouble";
      case SET_ASIDE -> "is set aside, because tasks fail there";
      case REFUSED -> "refused a task for lack of resources";
      case SLOTS ->
          "has %d of %d slots free, the task needs %d"
              .formatted(
                  Math.max(0, not.load().freeSlots()), worker.capacity().slots(), size.slots());
      case MEMORY ->
          "has %d of %d bytes of memory free, the task needs %d"
              .formatted(
                  Math.max(0, worker.capacity().memoryBytes() - worker.held().memoryBytes()),
                  worker.capacity().memoryBytes(),
                  size.memoryBytes());
      case CPU ->
          "has %dm of %dm cpu free, the task needs %dm"
              .formatted(
                  Math.max(0, worker.capacity().cpuMillis() - worker.held().cpuMillis()),
                  worker.capacity().cpuMillis(),
                  size.cpuMillis());
      case RESERVED -> "is kept for a task that needs more slots";
      case OVERLOADED ->
          "has cpu at %d %% and gpu at %d %%, and another worker has room"
              .formatted(
                  Math.round(worker.condition().cpuPercent()),
                  Math.round(worker.condition().gpuPercent()));
      case FAILED_HERE -> "the task just failed there, and another worker has room";
    };
  }

  private Set<String> missing(Worker worker, @Nullable Pool pool) {
    Set<String> missing = new TreeSet<>(request.placement().requires());
    missing.removeAll(worker.traits().capabilities());
    if (pool != null) {
      missing.removeAll(pool.capabilities());
    }
    return missing;
  }

  private List<String> mismatches(Worker worker) {
    List<String> mismatches = new ArrayList<>();
    new TreeMap<>(request.placement().constraints())
        .forEach(
            (name, value) -> {
              String actual = Needs.label(worker.traits().labels(), name);
              if (actual == null) {
                mismatches.add("has no label " + name);
              } else if (!actual.equals(value)) {
                mismatches.add("%s is %s, not %s".formatted(name, actual, value));
              }
            });
    return mismatches;
  }

  private static String sizes(Load capacity) {
    return sizes(new Size(capacity.slots(), capacity.memoryBytes(), capacity.cpuMillis()));
  }

  private static String sizes(Size size) {
    StringBuilder text = new StringBuilder().append(size.slots()).append(" slots");
    if (size.memoryBytes() > 0) {
      text.append(", ").append(size.memoryBytes()).append(" bytes of memory");
    }
    if (size.cpuMillis() > 0) {
      text.append(", ").append(size.cpuMillis()).append("m cpu");
    }
    return text.toString();
  }
}
