package dev.belay.simulation;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.EventId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Reads the tables of the store. Rows have no numbers: they are numbered as they are found. */
final class PostgresObservedTriggers implements ObservedTriggers {

  private final Jdbi jdbi;
  private final Map<String, String> seen = new HashMap<>();
  private final List<Version> versions = new ArrayList<>();
  private final List<Fire> fires = new ArrayList<>();

  PostgresObservedTriggers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public List<Version> versionsAfter(long number) {
    read(
        """
        SELECT CAST(v.id AS text) AS key, CAST(v.xmin AS text) AS version, v.id, v.trigger_id, t.workflow, t.name, v.spec,
               v.from_at, v.until_at, v.next_at, v.due_at, v.replay_from, v.paused_at IS NOT NULL AS paused
        FROM trigger_version v JOIN trigger t ON t.id = v.trigger_id
        WHERE v.kind = 'timed'
        ORDER BY v.from_at, v.id
        """,
        row ->
            versions.add(
                new Version(
                    versions.size() + 1L,
                    row.uuid("id"),
                    new Name(
                        new TriggerId(row.uuid("trigger_id")),
                        row.text("workflow"),
                        row.text("name")),
                    row.text("spec"),
                    new Range(row.time("from_at"), row.timeOrNull("until_at")),
                    new Cursor(
                        row.timeOrNull("next_at"),
                        row.timeOrNull("due_at"),
                        row.timeOrNull("replay_from")),
                    row.text("paused").equals("t"))));
    return versions.subList(Math.toIntExact(number), versions.size());
  }

  @Override
  public List<Fire> firesAfter(long number) {
    read(
        """
        SELECT trigger_id || ' ' || at AS key, CAST(xmin AS text) AS version, trigger_id, at, due_at, outcome, reason, run_id,
               into_at, decided_at
        FROM fire
        WHERE outcome <> 'checked'
        ORDER BY trigger_id, at
        """,
        row ->
            fires.add(
                new Fire(
                    fires.size() + 1L,
                    new TriggerId(row.uuid("trigger_id")),
                    row.time("at"),
                    row.time("due_at"),
                    row.text("outcome"),
                    row.textOrNull("reason"),
                    row.idOrNull("run_id", RunId::new),
                    row.timeOrNull("into_at"),
                    row.time("decided_at"))));
    return fires.subList(Math.toIntExact(number), fires.size());
  }

  /** Only rows that changed since the last look. */
  private void read(String sql, Found found) {
    jdbi.useHandle(
        handle -> handle.createQuery(sql).map((row, context) -> look(new Row(row), found)).list());
  }

  private boolean look(Row row, Found found) {
    String version = row.text("version");
    boolean changed = !version.equals(seen.put(row.text("key"), version));
    if (changed) {
      found.add(row);
    }
    return changed;
  }

  @FunctionalInterface
  private interface Found {
    void add(Row row);
  }

  @Override
  public List<Run> runs(Collection<RunId> runs) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    SELECT id, workflow, logical_date, trigger_id, backfill_id, upstream_run_id, event_id, depth
                    FROM run
                    WHERE id = ANY (CAST(:ids AS uuid[]))
                    ORDER BY id
                    """)
                .bindArray("ids", UUID.class, runs.stream().map(RunId::value).toList())
                .map((row, context) -> run(new Row(row)))
                .list());
  }

  private static Run run(Row row) {
    return new Run(
        new RunId(row.uuid("id")),
        row.text("workflow"),
        row.timeOrNull("logical_date"),
        new Cause(
            row.idOrNull("trigger_id", TriggerId::new),
            row.idOrNull("backfill_id", BackfillId::new),
            row.idOrNull("upstream_run_id", RunId::new),
            row.idOrNull("event_id", EventId::new),
            Integer.parseInt(row.text("depth"))));
  }

  /** A row of a result, without its checked exception. */
  private record Row(ResultSet row) {

    String text(String column) {
      String text = textOrNull(column);
      if (text == null) {
        throw new IllegalStateException("no " + column);
      }
      return text;
    }

    @Nullable String textOrNull(String column) {
      try {
        return row.getString(column);
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }

    UUID uuid(String column) {
      return UUID.fromString(text(column));
    }

    <T> @Nullable T idOrNull(String column, Function<UUID, T> id) {
      String text = textOrNull(column);
      return text == null ? null : id.apply(UUID.fromString(text));
    }

    Instant time(String column) {
      Instant time = timeOrNull(column);
      if (time == null) {
        throw new IllegalStateException("no " + column);
      }
      return time;
    }

    @Nullable Instant timeOrNull(String column) {
      try {
        var time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }
  }
}
