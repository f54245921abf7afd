package dev.belay.domain.routing;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import dev.belay.domain.routing.Worker.Traits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Workers and placements for tests. */
final class Workers {

  private Workers() {}

  static WorkerId id(int number) {
    return new WorkerId(new UUID(1, number));
  }

  static Worker worker(int number, int slots, String... pools) {
    return new Worker(
        id(number),
        new SessionId(new UUID(2, number)),
        "w" + number,
        Traits.ofPools(pools),
        Load.slots(slots),
        Load.NONE,
        Condition.IDLE);
  }

  static List<Worker> equal(int count, int slots) {
    return IntStream.range(0, count).mapToObj(i -> worker(i, slots, "default")).toList();
  }

  static Worker with(Worker worker, Traits traits) {
    return new Worker(
        worker.id(),
        worker.session(),
        worker.name(),
        traits,
        worker.capacity(),
        worker.held(),
        worker.condition());
  }

  static Worker named(String name, Worker worker) {
    return new Worker(
        worker.id(),
        worker.session(),
        name,
        worker.traits(),
        worker.capacity(),
        worker.held(),
        worker.condition());
  }

  static Worker labelled(Worker worker, Map<String, String> labels) {
    Traits traits = worker.traits();
    return with(worker, new Traits(traits.pools(), traits.capabilities(), labels));
  }

  static Worker capable(Worker worker, String... capabilities) {
    Traits traits = worker.traits();
    return with(worker, new Traits(traits.pools(), Set.of(capabilities), traits.labels()));
  }

  static Worker with(Worker worker, Load capacity) {
    return new Worker(
        worker.id(),
        worker.session(),
        worker.name(),
        worker.traits(),
        capacity,
        worker.held(),
        worker.condition());
  }

  static Worker with(Worker worker, Condition condition) {
    return new Worker(
        worker.id(),
        worker.session(),
        worker.name(),
        worker.traits(),
        worker.capacity(),
        worker.held(),
        condition);
  }

  static Worker away(Worker worker, Presence presence) {
    return with(worker, new Condition(presence, false, 0, 0, 0, null));
  }

  static Worker busy(Worker worker, double cpuPercent, double gpuPercent) {
    return with(worker, new Condition(Presence.PRESENT, false, 0, cpuPercent, gpuPercent, null));
  }

  static Worker refusing(Worker worker, Instant until) {
    return with(worker, new Condition(Presence.PRESENT, false, 0, 0, 0, until));
  }

  static Worker setAside(Worker worker) {
    return with(worker, new Condition(Presence.PRESENT, true, 0, 0, 0, null));
  }

  static Placement needing(Set<String> capabilities, Map<String, String> constraints) {
    return new Placement(
        null, "default", new TreeSet<>(capabilities), constraints, null, Size.ONE_SLOT, null);
  }

  static Placement preferring(String worker) {
    return new Placement(null, "default", new TreeSet<>(), Map.of(), worker, Size.ONE_SLOT, null);
  }

  static Placement sized(Size size, @Nullable Duration timeout) {
    return new Placement(null, "default", new TreeSet<>(), Map.of(), null, size, timeout);
  }

  static Placement onTopic(String topic, @Nullable String pool, String... requires) {
    return new Placement(
        topic, pool, new TreeSet<>(Set.of(requires)), Map.of(), null, Size.ONE_SLOT, null);
  }
}
