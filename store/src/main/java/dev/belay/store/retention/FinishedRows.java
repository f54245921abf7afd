package dev.belay.store.retention;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.lease.LeaseFence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** Finds, writes and removes finished tasks and runs. */
public final class FinishedRows {

  /** Below every id. */
  public static final UUID FIRST = new UUID(0, 0);

  /** Payloads can be large, so only a few lines are in memory at a time. */
  private static final int LINES_FETCHED = 20;

  private final Jdbi jdbi;

  public FinishedRows(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A run, or a task: of a run, or alone. */
  public enum Kind {
    RUN("runs"),
    TASK("tasks");

    private final String plural;

    Kind(String plural) {
      this.plural = plural;
    }

    public String plural() {
      return plural;
    }
  }

  /**
   * A row as it was read.
   *
   * @param rowVersion changes with each update of the row
   */
  public record Row(UUID id, long rowVersion) {}

  /**
   * Some rows in the order of their ids, examined.
   *
   * @param due those that may be removed
   * @param next where the next scan begins; empty when this was the last one
   */
  public record Scan(List<Row> due, Optional<UUID> next) {}

  /**
   * A row as one line of JSON.
   *
   * @param json without its line end
   */
  public record Line(Row row, String json) {}

  private record Examined(Row row, boolean due) {}

  /** The database's time. */
  public Instant now() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("retention/read_now"))
                .map((row, context) -> row.getObject("now", OffsetDateTime.class).toInstant())
                .one());
  }

  /**
   * Examines at most {@code max} rows after an id.
   *
   * @param before rows that ended earlier are due
   */
  public Scan scan(Kind kind, Instant before, UUID after, int max) {
    List<Examined> examined =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("retention/read_finished_" + kind.plural()))
                    .bind("before", before.atOffset(ZoneOffset.UTC))
                    .bind("after", after)
                    .bind("below", Ids.v7(Math.max(0, before.toEpochMilli()), 0, 0))
                    .bind("limit", max)
                    .map((row, context) -> new Examined(row(row), row.getBoolean("due")))
                    .list());
    return new Scan(
        examined.stream().filter(Examined::due).map(Examined::row).toList(),
        examined.size() < max ? Optional.empty() : Optional.of(examined.getLast().row().id()));
  }

  /** At most {@code max} tasks of runs that were removed. */
  public List<Row> tasksOf(List<UUID> runs, Instant before, int max) {
    return jdbi.withHandle(
        handle ->
            ids(handle.createQuery(Sql.named("retention/read_tasks_of_runs")), "runs", runs)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("limit", max)
                .map((row, context) -> row(row))
                .list());
  }

  /**
   * Passes the finished ones of these rows on as lines, in the order of their ids.
   *
   * @param sink returns whether it wants more
   */
  public void lines(Kind kind, List<UUID> ids, Predicate<Line> sink) {
    jdbi.useTransaction(
        handle -> {
          handle.createQuery(Sql.named("retention/use_utc")).mapTo(String.class).one();
          try (var query = handle.createQuery(Sql.named("retention/archive_" + kind.plural()));
              var lines =
                  ids(query, "ids", ids)
                      .setFetchSize(LINES_FETCHED)
                      .map((row, context) -> new Line(row(row), row.getString("line")))
                      .iterator()) {
            pass(lines, sink);
          }
        });
  }

  private static void pass(Iterator<Line> lines, Predicate<Line> sink) {
    boolean more = true;
    while (more && lines.hasNext()) {
      more = sink.test(lines.next());
    }
  }

  /** Removes these rows on behalf of a person; returns those that it removed. */
  public List<UUID> remove(Kind kind, List<Row> rows) {
    return jdbi.inTransaction(handle -> remove(handle, kind, rows));
  }

  /**
   * Removes these rows on behalf of the job that holds a lease; returns those that it removed.
   *
   * @throws dev.belay.engine.port.LeaseLost when the lease is over
   */
  public List<UUID> remove(LeaseToken token, Kind kind, List<Row> rows) {
    return jdbi.inTransaction(
        handle -> {
          LeaseFence.enter(handle, token);
          return remove(handle, kind, rows);
        });
  }

  private static List<UUID> remove(Handle handle, Kind kind, List<Row> rows) {
    Query query = handle.createQuery(Sql.named("retention/delete_" + kind.plural()));
    Unnest.bind(query, "ids", UUID.class, rows, Row::id);
    Unnest.bind(query, "row_versions", Long.class, rows, Row::rowVersion);
    return query.map((row, context) -> row.getObject("id", UUID.class)).list();
  }

  private static Query ids(Query query, String name, List<UUID> ids) {
    return Unnest.bind(query, name, UUID.class, ids, id -> id);
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(row.getObject("id", UUID.class), row.getLong("row_version"));
  }
}
