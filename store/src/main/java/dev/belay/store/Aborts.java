package dev.belay.store;

import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.statement.Abort;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Requests to end an attempt, in the columns abort_*. */
public final class Aborts {

  private Aborts() {}

  /** Binds reason, by and note. */
  public static <S extends SqlStatement<S>> S bind(S statement, Abort abort) {
    return statement
        .bind("reason", abort.reason().word())
        .bind("by", abort.by())
        .bind("note", abort.note().isEmpty() ? null : abort.note());
  }

  /** A reason that this version does not know asks for nothing. */
  public static @Nullable Abort read(ResultSet row) throws SQLException {
    String reason = row.getString("abort_reason");
    if (reason == null) {
      return null;
    }
    String by = row.getString("abort_by");
    String note = row.getString("abort_note");
    return AbortReason.of(reason)
        .map(known -> new Abort(known, by, note == null ? "" : note))
        .orElse(null);
  }

  /** Why the tasks of a run must end; null while nothing ends it. */
  public static @Nullable AbortReason readEnding(ResultSet row) throws SQLException {
    String word = row.getString("ending");
    return word == null ? null : AbortReason.of(word).orElseThrow();
  }

  public static @Nullable Instant readTime(ResultSet row) throws SQLException {
    var at = row.getObject("abort_at", OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }
}
