package dev.belay.store.recovery;

import dev.belay.store.Sql;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Raises alerts, lists them, and deletes them after their retention. */
public final class Alerts {

  /** The same alert is not raised again for this long. */
  public static final Duration QUIET = Duration.ofMinutes(5);

  /** Limit of a detail; the rest is cut off. */
  public static final int DETAIL_MAX_CHARS = 1_000;

  private final Jdbi jdbi;

  public Alerts(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Raises an alert in the handle's transaction.
   *
   * @return false when the same alert was raised recently
   */
  public static boolean raise(Handle handle, String kind, String detail) {
    return handle
            .createUpdate(Sql.named("recovery/raise_alert"))
            .bind("kind", kind)
            .bind("detail", shown(detail))
            .bind("quiet_ms", QUIET.toMillis())
            .execute()
        > 0;
  }

  /**
   * Raises an alert about a change that the handle's transaction makes, so it is never a repeat.
   */
  public static void record(Handle handle, String kind, String detail) {
    handle
        .createUpdate(Sql.named("recovery/record_alert"))
        .bind("kind", kind)
        .bind("detail", shown(detail))
        .execute();
  }

  /**
   * Raises an alert whose text an outside party chose: at most one per kind and subject at a time,
   * whatever the text. Runs in the handle's transaction, which must hold a lock on the subject;
   * otherwise two replicas may raise it at once.
   *
   * @param subject follows the text, such as {@code (id 1)}
   * @return false when an alert about this subject was raised recently
   */
  public static boolean raiseAbout(Handle handle, String kind, String detail, String subject) {
    String end = " " + subject;
    return handle
            .createUpdate(Sql.named("recovery/raise_alert_about"))
            .bind("kind", kind)
            .bind("detail", shown(detail, DETAIL_MAX_CHARS - end.length()) + end)
            .bind("subject", end)
            .bind("quiet_ms", QUIET.toMillis())
            .execute()
        > 0;
  }

  /** The text as an alert can hold it. */
  public static String shown(String detail) {
    return shown(detail, DETAIL_MAX_CHARS);
  }

  private static String shown(String detail, int max) {
    String shown = detail.replace('\0', ' ');
    return shown.substring(0, Math.min(max, shown.length()));
  }

  /**
   * @param cursor only alerts older than this one; null starts at the newest
   */
  public Listed<Alert> list(@Nullable Long cursor, int limit) {
    return Listed.newest(
        jdbi,
        "recovery/list_alerts",
        cursor,
        limit,
        (row, context) ->
            new Alert(
                row.getLong("id"),
                row.getString("kind"),
                row.getString("detail"),
                row.getObject("at", OffsetDateTime.class).toInstant()),
        Alert::id);
  }

  /** Deletes up to {@code max} alerts older than the retention; returns the count. */
  public static int forget(Handle handle, Duration retention, int max) {
    return handle
        .createUpdate(Sql.named("recovery/delete_alerts"))
        .bind("retention_seconds", retention.toSeconds())
        .bind("limit", max)
        .execute();
  }
}
