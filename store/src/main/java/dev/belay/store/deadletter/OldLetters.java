package dev.belay.store.deadletter;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** Removes dead letters by their age. */
public final class OldLetters {

  private final Jdbi jdbi;

  public OldLetters(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * @param open those among them that nobody had retried
   */
  public record Count(int letters, int open) {}

  /** How many are older than this. */
  public Count count(Duration age) {
    return jdbi.withHandle(
        handle ->
            counted(
                handle
                    .createQuery(Sql.named("deadletter/count_old"))
                    .bind("age_seconds", age.toMillis() / 1000.0)));
  }

  /** Removes at most {@code max} that are older than this, the oldest first. */
  public Count remove(Duration age, int max) {
    return jdbi.inTransaction(handle -> remove(handle, age, max));
  }

  /** The same, in the caller's transaction. */
  public static int forget(Handle handle, Duration age, int max) {
    return remove(handle, age, max).letters();
  }

  private static Count remove(Handle handle, Duration age, int max) {
    return counted(
        handle
            .createQuery(Sql.named("deadletter/delete_letters"))
            .bind("age_seconds", age.toMillis() / 1000.0)
            .bind("max", max));
  }

  private static Count counted(Query query) {
    return query.map((row, context) -> new Count(row.getInt("count"), row.getInt("open"))).one();
  }
}
