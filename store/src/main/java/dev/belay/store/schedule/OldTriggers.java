package dev.belay.store.schedule;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/** Deletes the old part of the ledger, and versions of triggers that ended long ago. */
public final class OldTriggers {

  private OldTriggers() {}

  /**
   * Deletes up to {@code max} rows that were decided before the retention, except those that a
   * pause skipped and a resume may still decide again; returns the count.
   */
  public static int forgetFires(Handle handle, Duration retention, int max) {
    return forget(handle, "schedule/delete_fires", retention, max);
  }

  /** Deletes up to {@code max} versions that ended before the retention and have decided all. */
  public static int forgetVersions(Handle handle, Duration retention, int max) {
    return forget(handle, "schedule/delete_versions", retention, max);
  }

  private static int forget(Handle handle, String statement, Duration retention, int max) {
    return handle
        .createUpdate(Sql.named(statement))
        .bind("retention_seconds", retention.toSeconds())
        .bind("limit", max)
        .execute();
  }
}
