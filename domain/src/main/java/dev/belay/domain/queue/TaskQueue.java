package dev.belay.domain.queue;

import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a task queue have in common: everything that decides whether the next of them
 * may start, other than its priority, its time and its run.
 *
 * @param workflow null for tasks without a run
 * @param concurrency null means without a limit
 * @param rateLimit null means without a limit
 */
public record TaskQueue(
    String tenant,
    @Nullable String workflow,
    Placement placement,
    @Nullable Concurrency concurrency,
    @Nullable RateLimit rateLimit) {

  /** Whether it has the key of a limit, so that there may be as many task queues as tasks. */
  public boolean isKeyed() {
    return concurrency != null || rateLimit != null;
  }

  /**
   * Limits how many tasks of a tenant with this key hold a place.
   *
   * @param limit another task queue may name the key with another limit: then the smallest of those
   *     in which tasks wait or hold a place counts
   */
  public record Concurrency(String key, int limit, OnConflict onConflict) {
    public static final int LIMIT_MAX = 100_000;
  }

  /** What happens to a task whose key has no room. */
  public enum OnConflict {
    /** It waits. */
    QUEUE,
    /** The oldest tasks that hold the key are terminated. */
    CANCEL_RUNNING,
    /** It ends as CANCELLED. */
    CANCEL_NEW
  }
}
