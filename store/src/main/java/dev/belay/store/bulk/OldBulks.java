package dev.belay.store.bulk;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/** Bulk operations that ended long ago. */
public final class OldBulks {

  private OldBulks() {}

  /** Deletes at most {@code limit} of them. */
  public static int forget(Handle handle, Duration retention, int limit) {
    return handle
        .createUpdate(Sql.named("bulk/delete_bulks"))
        .bind("retention_seconds", (double) retention.toSeconds())
        .bind("limit", limit)
        .execute();
  }
}
