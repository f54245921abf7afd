package dev.belay.store.system;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pools, topics and tenants as people see them. */
public final class Declared {

  private Declared() {}

  /**
   * A pool that is declared, or that only workers name.
   *
   * @param slots how many slots its tasks may hold; null means those of its workers
   * @param workers those that are connected
   * @param workerSlots of the connected workers
   * @param declaredIn null, like the rest, when only workers name it
   */
  public record PoolView(
      String name,
      @Nullable String description,
      String state,
      @Nullable Integer slots,
      List<String> capabilities,
      String strategy,
      long workers,
      long workerSlots,
      @Nullable String declaredIn,
      @Nullable Long version,
      @Nullable Instant changedAt,
      @Nullable String changedBy) {
    public PoolView {
      capabilities = List.copyOf(capabilities);
    }
  }

  public record TopicView(
      String name,
      @Nullable String description,
      List<String> pools,
      String declaredIn,
      long version,
      Instant changedAt,
      String changedBy) {
    public TopicView {
      pools = List.copyOf(pools);
    }
  }

  /**
   * @param maxRunning null means no limit, as for the others
   */
  public record TenantView(
      String name,
      @Nullable String description,
      int weight,
      @Nullable Integer maxRunning,
      @Nullable Integer maxWaiting,
      @Nullable Integer submitMax,
      @Nullable Long submitPerMs,
      String declaredIn,
      long version,
      Instant changedAt,
      String changedBy) {}

  /**
   * One page, by name.
   *
   * @param next the cursor of the next page; null at the end
   */
  public record Names<T>(List<T> items, @Nullable String next) {
    public Names {
      items = List.copyOf(items);
    }
  }
}
