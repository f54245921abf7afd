package dev.belay.domain.system;

import dev.belay.domain.routing.Pool;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What people declare of a pool of workers.
 *
 * @param slots how many slots its tasks may hold together; null means all slots of its workers
 * @param capabilities what each of its workers has, beside what a worker says of itself
 */
public record DeclaredPool(
    String name,
    @Nullable String description,
    Pool.State state,
    @Nullable Integer slots,
    SortedSet<String> capabilities,
    Pool.Strategy strategy) {

  public static final int SLOTS_MAX = 1_000_000;
  public static final int CAPABILITIES_MAX = 100;

  public DeclaredPool {
    capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
  }
}
