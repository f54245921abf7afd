package dev.belay.domain.system;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's share and limits.
 *
 * @param weight its share of the workers while other tenants have work waiting, too
 * @param maxRunning how many of its tasks may hold a worker at a time; null means no limit
 * @param maxWaiting how many of its tasks may wait for a worker or a time; null means no limit
 * @param submitRate null means no limit
 */
public record Tenant(
    String name,
    @Nullable String description,
    int weight,
    @Nullable Integer maxRunning,
    @Nullable Integer maxWaiting,
    @Nullable SubmitRate submitRate) {

  public static final int WEIGHT_DEFAULT = 1;
  public static final int WEIGHT_MAX = 1_000;
  public static final int TASKS_MAX = 10_000_000;

  /** How many tasks and runs it may submit: a bucket of {@code max} that fills in {@code per}. */
  public record SubmitRate(int max, Duration per) {
    public static final int MAX_MAX = 1_000_000;
    public static final Duration PER_MIN = Duration.ofMillis(100);
    public static final Duration PER_MAX = Duration.ofDays(1);
  }
}
