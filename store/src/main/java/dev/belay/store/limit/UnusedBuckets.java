package dev.belay.store.limit;

import dev.belay.domain.queue.RateLimit;
import dev.belay.store.Sql;
import org.jdbi.v3.core.Handle;

/** Buckets of rate limits that nobody used for so long that they are full again. */
public final class UnusedBuckets {

  private UnusedBuckets() {}

  /** Deletes at most {@code limit} of them; returns how many. */
  public static int forget(Handle handle, int limit) {
    return handle
        .createUpdate(Sql.named("limit/delete_buckets"))
        .bind("unused_seconds", (double) RateLimit.PER_MAX.multipliedBy(2).toSeconds())
        .bind("limit", limit)
        .execute();
  }
}
