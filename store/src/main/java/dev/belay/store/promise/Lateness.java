package dev.belay.store.promise;

import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** Promised and measured times of triggers and runs. Each read has a bound. */
public final class Lateness {

  /** Limit of the instants that one answer looks at, the newest first. */
  public static final int INSTANTS_MAX = 200_000;

  /** Limit of the runs, and of the checks, that one answer looks at, the newest first. */
  public static final int RUNS_MAX = 100_000;

  /** Limit of the triggers that one answer lists. */
  public static final int TRIGGERS_MAX = 20;

  private final Jdbi jdbi;

  public Lateness(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * First all triggers together, then those that fired latest.
   *
   * @param promised a timed trigger fires within this after it is due
   */
  public List<TriggerLateness> triggers(Duration window, Duration promised) {
    return jdbi.withHandle(
        handle ->
            over(handle.createQuery(Sql.named("promise/summarize_fires")), window)
                .bind("promised_ms", promised.toMillis())
                .bind("instants", INSTANTS_MAX)
                .bind("limit", TRIGGERS_MAX)
                .map((row, context) -> trigger(row))
                .list());
  }

  public List<KeptPromise> promises(Duration window) {
    return jdbi.withHandle(
        handle ->
            over(handle.createQuery(Sql.named("promise/summarize_promises")), window)
                .bind("runs", RUNS_MAX)
                .map((row, context) -> promise(row))
                .list());
  }

  private static Query over(Query query, Duration window) {
    return query.bind("window_ms", window.toMillis()).setQueryTimeout(Reads.TIMEOUT_SECONDS);
  }

  private static TriggerLateness trigger(ResultSet row) throws SQLException {
    return new TriggerLateness(
        Objects.requireNonNullElse(row.getString("tenant"), ""),
        Objects.requireNonNullElse(row.getString("workflow"), ""),
        Objects.requireNonNullElse(row.getString("name"), ""),
        row.getLong("fired"),
        row.getObject("late_p50", Long.class),
        row.getObject("late_p99", Long.class),
        row.getObject("late_worst", Long.class),
        row.getLong("late"));
  }

  private static KeptPromise promise(ResultSet row) throws SQLException {
    return new KeptPromise(
        Objects.requireNonNull(row.getString("promise")),
        row.getLong("kept"),
        row.getLong("broken"),
        row.getObject("worst_ms", Long.class),
        row.getString("workflow"),
        row.getObject("run", UUID.class));
  }
}
