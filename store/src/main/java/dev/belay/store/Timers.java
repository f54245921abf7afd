package dev.belay.store;

import dev.belay.domain.spec.DueTime;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Binds the timers of rows: {@code after_ms} counts from the statement, {@code due_ats} are times.
 */
public final class Timers {

  private Timers() {}

  public static <S extends SqlStatement<S>, T> void bind(
      S statement, List<T> rows, Function<T, @Nullable DueTime> timer) {
    Unnest.bind(statement, "after_ms", Long.class, rows, row -> afterMs(timer.apply(row)));
    Unnest.bind(statement, "due_ats", String.class, rows, row -> dueAt(timer.apply(row)));
  }

  private static @Nullable Long afterMs(@Nullable DueTime timer) {
    return timer == null || timer.after() == null ? null : Long.valueOf(timer.after().toMillis());
  }

  private static @Nullable String dueAt(@Nullable DueTime timer) {
    Instant at = timer == null ? null : timer.at();
    return at == null ? null : at.toString();
  }
}
