package dev.belay.domain.spec;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a task says about its task queue. Its keys may be expressions, which get their values when
 * the task is ready; its labels and its execution timeout count, too.
 *
 * @param topic its pools may run the task; null means the pool alone decides
 * @param pool the only pool that may run the task; null means any pool of the topic
 * @param requires capabilities that the pool or the worker must have
 * @param concurrency null means without a limit
 * @param rateLimit null means without a limit
 */
public record QueueSpec(
    @Nullable String topic,
    @Nullable String pool,
    SortedSet<String> requires,
    Size size,
    @Nullable KeyLimit concurrency,
    @Nullable KeyRate rateLimit) {

  public static final QueueSpec DEFAULT = inPool(TaskSpec.POOL_DEFAULT);
  public static final int REQUIRES_MAX = 20;

  /** Of a key with its expressions evaluated. */
  public static final int KEY_CHARS_MAX = 200;

  public QueueSpec {
    if (topic == null && pool == null) {
      throw new IllegalArgumentException("a topic or a pool must be set");
    }
    requires = Collections.unmodifiableSortedSet(new TreeSet<>(requires));
  }

  /** Any worker of a pool, and one of its slots. */
  public static QueueSpec inPool(String pool) {
    return new QueueSpec(null, pool, new TreeSet<>(), Size.ONE_SLOT, null, null);
  }

  /** {@link Concurrency}, with a key that is not evaluated yet. */
  public record KeyLimit(Template key, int limit, OnConflict onConflict) {}

  /** {@link RateLimit}, with a key that is not evaluated yet. */
  public record KeyRate(Template key, int max, Duration per) {}
}
