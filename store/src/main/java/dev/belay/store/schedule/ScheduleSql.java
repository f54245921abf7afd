package dev.belay.store.schedule;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.EventId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.statement.ScheduleStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The statements of resources/sql/schedule. */
public record ScheduleSql(Handle handle) implements ScheduleStatements {

  private Query query(String statement) {
    return handle.createQuery(Sql.named("schedule/" + statement));
  }

  private Update update(String statement) {
    return handle.createUpdate(Sql.named("schedule/" + statement));
  }

  @Override
  public Instant now() {
    return query("read_now").map((row, context) -> time(row, "now")).one();
  }

  @Override
  public List<Known> lockTriggers(Collection<Workflow> workflows) {
    // The ledger is read when nobody can add to it any more.
    named(query("lock_triggers"), workflows).mapTo(UUID.class).list();
    return named(query("read_triggers"), workflows)
        .map(
            (row, context) ->
                new Known(
                    new TriggerId(row.getObject("id", UUID.class)),
                    workflow(row),
                    row.getString("name"),
                    row.getObject("live", UUID.class),
                    row.getString("spec"),
                    timeOrNull(row, "covered")))
        .list();
  }

  @Override
  public void retire(Map<UUID, Instant> versions) {
    var rows = List.copyOf(versions.entrySet());
    var update = update("retire_versions");
    Unnest.bind(update, "ids", UUID.class, rows, Map.Entry::getKey);
    Unnest.bind(update, "untils", String.class, rows, row -> text(row.getValue()));
    update.execute();
  }

  @Override
  public void insertVersions(List<NewVersion> versions, Instant now) {
    var update = update("insert_versions").bind("now", text(now));
    Unnest.bind(update, "ids", UUID.class, versions, NewVersion::id);
    Unnest.bind(update, "triggers", UUID.class, versions, one -> one.trigger().value());
    Unnest.bind(update, "replaced", UUID.class, versions, NewVersion::replaces);
    Unnest.bind(update, "tenants", String.class, versions, one -> one.workflow().tenant());
    Unnest.bind(update, "workflows", String.class, versions, one -> one.workflow().name());
    Unnest.bind(update, "names", String.class, versions, NewVersion::name);
    Unnest.bind(update, "kinds", String.class, versions, NewVersion::kind);
    Unnest.bind(update, "sources", String.class, versions, NewVersion::source);
    Unnest.bind(update, "specs", String.class, versions, NewVersion::spec);
    Unnest.bind(update, "froms", String.class, versions, one -> text(one.from()));
    Unnest.bind(update, "nexts", String.class, versions, one -> textOrNull(one.next()));
    Unnest.bind(update, "dues", String.class, versions, one -> textOrNull(one.due()));
    update.execute();
  }

  @Override
  public Set<UUID> advance(List<Cursor> cursors) {
    var query = query("advance_versions");
    Unnest.bind(query, "ids", UUID.class, cursors, Cursor::version);
    Unnest.bind(query, "seen", String.class, cursors, one -> textOrNull(one.seen().next()));
    Unnest.bind(query, "untils", String.class, cursors, one -> textOrNull(one.seen().until()));
    Unnest.bind(query, "paused", Boolean.class, cursors, one -> one.seen().paused());
    Unnest.bind(
        query, "seen_replays", String.class, cursors, one -> textOrNull(one.seen().replayFrom()));
    Unnest.bind(query, "nexts", String.class, cursors, one -> textOrNull(one.next()));
    Unnest.bind(query, "dues", String.class, cursors, one -> textOrNull(one.due()));
    Unnest.bind(query, "replays", String.class, cursors, one -> textOrNull(one.replayFrom()));
    return new HashSet<>(query.mapTo(UUID.class).list());
  }

  @Override
  public void insertFires(List<Fire> fires) {
    var update = bind(update("insert_fires"), fires);
    Unnest.bind(update, "triggers", UUID.class, fires, fire -> fire.trigger().value());
    Unnest.bind(update, "dues", String.class, fires, fire -> text(fire.decision().due()));
    update.execute();
  }

  @Override
  public Map<InstantKey, BackfillId> readBackfilled(Collection<InstantKey> instants) {
    var rows = List.copyOf(instants);
    var query = query("read_backfilled");
    Unnest.bind(query, "triggers", UUID.class, rows, one -> one.trigger().value());
    Unnest.bind(query, "ats", String.class, rows, one -> text(one.at()));
    Map<InstantKey, BackfillId> found = new HashMap<>();
    query
        .map(
            (row, context) ->
                Map.entry(
                    new InstantKey(
                        new TriggerId(row.getObject("trigger_id", UUID.class)), time(row, "at")),
                    new BackfillId(row.getObject("backfill_id", UUID.class))))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  @Override
  public Set<Instant> changePaused(TriggerId trigger, List<Fire> fires) {
    return new HashSet<>(
        bind(query("change_paused"), fires)
            .bind("trigger", trigger.value())
            .map((row, context) -> time(row, "at"))
            .list());
  }

  private static <S extends SqlStatement<S>> S bind(S statement, List<Fire> fires) {
    Unnest.bind(statement, "ats", String.class, fires, fire -> text(fire.decision().at()));
    Unnest.bind(
        statement,
        "outcomes",
        String.class,
        fires,
        fire -> fire.decision().outcome().name().toLowerCase(Locale.ROOT));
    Unnest.bind(statement, "reasons", String.class, fires, fire -> fire.decision().reason());
    Unnest.bind(statement, "runs", UUID.class, fires, fire -> of(fire.run(), RunId::value));
    return Unnest.bind(
        statement, "intos", String.class, fires, fire -> textOrNull(fire.decision().into()));
  }

  @Override
  public Map<Workflow, List<RunId>> lockOpenRuns(Collection<Workflow> workflows) {
    named(query("lock_controls"), workflows).map((row, context) -> row.getString("name")).list();
    Map<Workflow, List<RunId>> open = new TreeMap<>();
    named(query("read_open_runs"), workflows)
        .map((row, context) -> Map.entry(workflow(row), new RunId(row.getObject("id", UUID.class))))
        .forEach(
            run ->
                open.computeIfAbsent(run.getKey(), first -> new ArrayList<>()).add(run.getValue()));
    return open;
  }

  private static <S extends SqlStatement<S>> S named(S statement, Collection<Workflow> workflows) {
    var rows = List.copyOf(workflows);
    Unnest.bind(statement, "tenants", String.class, rows, Workflow::tenant);
    return Unnest.bind(statement, "workflows", String.class, rows, Workflow::name);
  }

  private static Workflow workflow(ResultSet row) throws SQLException {
    return new Workflow(row.getString("tenant"), row.getString("workflow"));
  }

  static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  @Override
  public Set<RunId> insertRuns(List<NewRun> runs, String actor) {
    var query = query("insert_runs").bind("actor", actor);
    Unnest.bind(query, "ids", UUID.class, runs, run -> run.id().value());
    Unnest.bind(query, "tenants", String.class, runs, NewRun::tenant);
    Unnest.bind(query, "workflow_ids", UUID.class, runs, run -> run.workflowId().value());
    Unnest.bind(query, "workflows", String.class, runs, NewRun::workflow);
    Unnest.bind(query, "params", String.class, runs, NewRun::params);
    Unnest.bind(query, "logical_dates", String.class, runs, run -> text(run.logicalDate()));
    Unnest.bind(query, "counted", Boolean.class, runs, NewRun::counted);
    Unnest.bind(
        query, "trigger_ids", UUID.class, runs, cause(c -> of(c.trigger(), TriggerId::value)));
    Unnest.bind(
        query, "backfill_ids", UUID.class, runs, cause(c -> of(c.backfill(), BackfillId::value)));
    Unnest.bind(
        query, "upstream_run_ids", UUID.class, runs, cause(c -> of(c.upstream(), RunId::value)));
    Unnest.bind(query, "event_ids", UUID.class, runs, cause(c -> of(c.event(), EventId::value)));
    Unnest.bind(query, "depths", Integer.class, runs, cause(Cause::depth));
    return new HashSet<>(
        query.map((row, context) -> new RunId(row.getObject("id", UUID.class))).list());
  }

  private static Function<NewRun, @Nullable Object> cause(Function<Cause, @Nullable Object> part) {
    return run -> part.apply(run.cause());
  }

  private static <T> @Nullable Object of(@Nullable T id, Function<T, UUID> value) {
    return id == null ? null : value.apply(id);
  }

  private static @Nullable String textOrNull(@Nullable Instant instant) {
    return instant == null ? null : text(instant);
  }

  /** An array of times is bound as text; the statement casts it. */
  static String text(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC).toString();
  }
}
