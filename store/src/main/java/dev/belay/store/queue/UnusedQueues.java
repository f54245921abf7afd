package dev.belay.store.queue;

import dev.belay.engine.port.QueueStore;
import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * Task queues that nobody needs any more. A task queue is in use when it is interned, and as long
 * as an open task names it. A task that ended may be retried until it is removed, so its task queue
 * is kept for longer than the task.
 */
public final class UnusedQueues {

  private UnusedQueues() {}

  /**
   * Deletes at most {@code limit} of them; returns how many.
   *
   * @param taskRetention how long a task is kept after its end; zero means for ever, and then its
   *     task queue is, too
   */
  public static int forget(Handle handle, Duration taskRetention, int limit) {
    if (taskRetention.isZero()) {
      return 0;
    }
    handle.createUpdate(Sql.named("queue/renew_queues")).execute();
    return handle
        .createUpdate(Sql.named("queue/delete_queues"))
        .bind("unused_seconds", (double) taskRetention.plus(QueueStore.UNUSED_KEPT).toSeconds())
        .bind("limit", limit)
        .execute();
  }
}
