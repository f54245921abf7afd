package dev.belay.domain.routing;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a placement needs of the workers of one pool. Placements with the same needs share a heap.
 *
 * @param capabilities that the worker must have, because its pool does not have them
 */
record Needs(
    String pool, SortedSet<String> capabilities, Map<String, String> constraints, Size size) {

  static Needs of(Placement placement, Pool pool) {
    SortedSet<String> missing = placement.requires();
    if (missing.stream().anyMatch(pool.capabilities()::contains)) {
      missing = new TreeSet<>(missing);
      missing.removeAll(pool.capabilities());
    }
    return new Needs(pool.name(), missing, placement.constraints(), placement.size());
  }

  /** The first need that a worker does not meet, however idle it is. */
  @Nullable WorkerGate gate(Worker worker) {
    Worker.Traits traits = worker.traits();
    if (!traits.pools().contains(pool)) {
      return WorkerGate.OTHER_POOL;
    }
    if (!traits.capabilities().containsAll(capabilities)) {
      return WorkerGate.CAPABILITY;
    }
    for (Map.Entry<String, String> constraint : constraints.entrySet()) {
      if (!constraint.getValue().equals(label(traits.labels(), constraint.getKey()))) {
        return WorkerGate.LABEL;
      }
    }
    Load capacity = worker.capacity();
    boolean fits =
        size.slots() <= capacity.slots()
            && (capacity.memoryBytes() == 0 || size.memoryBytes() <= capacity.memoryBytes())
            && (capacity.cpuMillis() == 0 || size.cpuMillis() <= capacity.cpuMillis());
    return fits ? null : WorkerGate.TOO_SMALL;
  }

  boolean areMetBy(Worker worker) {
    return gate(worker) == null;
  }

  /** A worker's label with this name, or with the name behind the prefix. */
  static @Nullable String label(Map<String, String> labels, String constraint) {
    String value = labels.get(constraint);
    return value != null ? value : withoutPrefix(constraint).map(labels::get).orElse(null);
  }

  /** The name of a constraint without its prefix. */
  static Optional<String> withoutPrefix(String constraint) {
    return Placement.CONSTRAINT_PREFIXES.stream()
        .filter(constraint::startsWith)
        .map(prefix -> constraint.substring(prefix.length()))
        .findFirst();
  }
}
