package dev.belay.store.recovery;

import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.store.recovery.KindSummary.Measured;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to records, column by column. */
final class RecoveryRows {

  private RecoveryRows() {}

  /** Empty for a kind that this version does not know. */
  static Optional<KindSummary> summary(ResultSet row, Promises promises) throws SQLException {
    Optional<RecoveryKind> kind = RecoveryKind.of(row.getString("kind"));
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new KindSummary(
            kind.get().word(),
            kind.get().reason(),
            promises.of(kind.get()).toMillis(),
            row.getLong("found"),
            measured(row, row.getLong("found"), "detected"),
            measured(row, row.getLong("again"), "again"),
            row.getLong("open"),
            row.getLong("late")));
  }

  private static Measured measured(ResultSet row, long count, String of) throws SQLException {
    return new Measured(
        count,
        row.getObject(of + "_p50", Long.class),
        row.getObject(of + "_p99", Long.class),
        row.getObject(of + "_worst", Long.class));
  }

  static Recovery recovery(ResultSet row) throws SQLException {
    long promisedMs = row.getLong("promised_ms");
    long detectedMs = row.getLong("detected_ms");
    return new Recovery(
        row.getLong("id"),
        Objects.requireNonNull(row.getString("kind")),
        row.getObject("task", UUID.class),
        row.getString("task_name"),
        row.getObject("run", UUID.class),
        row.getObject("dispatch", UUID.class),
        row.getObject("worker", UUID.class),
        row.getString("worker_name"),
        Objects.requireNonNull(time(row, "last_sign_at")),
        Objects.requireNonNull(time(row, "detected_at")),
        time(row, "running_again_at"),
        promisedMs,
        detectedMs,
        row.getObject("running_again_ms", Long.class),
        detectedMs > promisedMs,
        row.getBoolean("open"));
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
