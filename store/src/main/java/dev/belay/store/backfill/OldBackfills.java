package dev.belay.store.backfill;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/** Backfills that ended long ago. */
public final class OldBackfills {

  private OldBackfills() {}

  /** Deletes at most {@code limit} of their decisions, and those that have none left. */
  public static int forget(Handle handle, Duration retention, int limit) {
    int fires = delete(handle, "backfill/delete_fires", retention, limit);
    return fires == limit
        ? fires
        : Math.max(fires, delete(handle, "backfill/delete_backfills", retention, limit));
  }

  private static int delete(Handle handle, String statement, Duration retention, int limit) {
    return handle
        .createUpdate(Sql.named(statement))
        .bind("retention_seconds", (double) retention.toSeconds())
        .bind("limit", limit)
        .execute();
  }
}
