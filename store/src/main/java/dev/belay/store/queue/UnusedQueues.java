package dev.belay.store.queue;

import dev.belay.engine.port.QueueStore;
import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * Task queues that nobody needs any more. A task queue is in use when it is interned, and as long
 * as an open task names it. A task that ended may be retried until it is removed, so its task queue
 * is kept for longer than the task. One with the key of a limit is not: keys may be as many as
 * tasks, and a retry stores their task queue again.
 */
public final class UnusedQueues {

  /** After the last task that named it was removed. */
  private static final Duration PLAIN_KEPT = Duration.ofDays(30);

  private static final Duration FOR_EVER = Duration.ofDays(1_000_000);

  private UnusedQueues() {}

  /**
   * Looks at no more than {@code limit} of those that were not used for long; returns how many it
   * deleted, or found in use.
   *
   * @param taskRetention how long a task is kept after its end; zero means for ever, and then its
   *     task queue is, too, unless it has a key
   */
  public static int forget(Handle handle, Duration taskRetention, int limit) {
    Duration plain = taskRetention.isZero() ? FOR_EVER : taskRetention.plus(PLAIN_KEPT);
    return handle
        .createQuery(Sql.named("queue/delete_queues"))
        .bind("keyed_seconds", (double) QueueStore.UNUSED_KEPT.toSeconds())
        .bind("plain_seconds", (double) plain.toSeconds())
        .bind("limit", limit)
        .mapTo(Integer.class)
        .one();
  }
}
