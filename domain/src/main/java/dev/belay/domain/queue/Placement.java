package dev.belay.domain.queue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks may run, and what they take there.
 *
 * @param topic its pools may run the tasks; null means the pool alone decides
 * @param pool the only pool that may run the tasks; null means any pool of the topic
 * @param requires capabilities that the pool or the worker must have
 * @param constraints labels that the worker must have, with their prefix, such as {@code node.zone}
 * @param preferredWorker a worker's name or id that goes first when it can
 * @param executionTimeout how long an attempt may run; null means without a limit
 */
public record Placement(
    @Nullable String topic,
    @Nullable String pool,
    SortedSet<String> requires,
    Map<String, String> constraints,
    @Nullable String preferredWorker,
    Size size,
    @Nullable Duration executionTimeout) {

  /** Labels of a task that a worker must have, too. */
  public static final List<String> CONSTRAINT_PREFIXES =
      List.of("placement.", "constraint.", "node.");

  public static final String PREFERRED_POOL = "preferred_pool";
  public static final String PREFERRED_WORKER = "preferred_worker_id";

  public Placement {
    if (topic == null && pool == null) {
      throw new IllegalArgumentException("a topic or a pool must be set");
    }
    requires = Collections.unmodifiableSortedSet(new TreeSet<>(requires));
    constraints = Collections.unmodifiableMap(new TreeMap<>(constraints));
  }

  /** Any worker of a pool, and one of its slots. */
  public static Placement inPool(String pool) {
    return new Placement(null, pool, new TreeSet<>(), Map.of(), null, Size.ONE_SLOT, null);
  }

  /**
   * What a task takes of its worker.
   *
   * @param memoryBytes 0 means not declared
   * @param cpuMillis thousandths of a core; 0 means not declared
   */
  public record Size(int slots, long memoryBytes, int cpuMillis) {
    public static final Size ONE_SLOT = new Size(1, 0, 0);
    public static final int SLOTS_MAX = 10_000;

    public Size {
      if (slots < 1 || memoryBytes < 0 || cpuMillis < 0) {
        throw new IllegalArgumentException("a task takes at least one slot");
      }
    }
  }
}
