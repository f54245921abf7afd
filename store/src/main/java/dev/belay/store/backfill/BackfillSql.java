package dev.belay.store.backfill;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The statements of resources/sql/backfill. */
public record BackfillSql(Handle handle) implements BackfillStatements {

  @Override
  public boolean insert(NewBackfill backfill, String actor) {
    Schedule schedule = backfill.schedule();
    TriggerId trigger = schedule.trigger();
    return of(update("insert_backfill"), backfill.id())
            .bind("tenant", backfill.tenant())
            .bind("workflow", backfill.workflow())
            .bind("trigger_id", trigger == null ? null : trigger.value())
            .bind("timing", schedule.timing())
            .bind("calendar", schedule.calendar())
            .bind("from_at", time(schedule.from()))
            .bind("to_at", time(schedule.to()))
            .bind("forward", schedule.forward())
            .bind("concurrency", backfill.rules().concurrency())
            .bind("existing", backfill.rules().existing().word())
            .bind("params", backfill.rules().params())
            .bind("next_at", time(backfill.first()))
            .bind("total", backfill.total())
            .bind("actor", actor)
            .execute()
        > 0;
  }

  @Override
  public List<Running> readRunning(@Nullable BackfillId after, int max) {
    return query("read_running")
        .bind("after", after == null ? new UUID(0, 0) : after.value())
        .bind("max", max)
        .map((row, context) -> running(row))
        .list();
  }

  private static Running running(ResultSet row) throws SQLException {
    UUID trigger = row.getObject("trigger_id", UUID.class);
    UUID latest = row.getObject("latest", UUID.class);
    return new Running(
        new BackfillId(row.getObject("id", UUID.class)),
        row.getString("tenant"),
        row.getString("workflow"),
        new Schedule(
            trigger == null ? null : new TriggerId(trigger),
            row.getString("timing"),
            row.getString("calendar"),
            instant(row, "from_at"),
            instant(row, "to_at"),
            row.getBoolean("forward")),
        new Rules(
            row.getInt("concurrency"),
            Existing.ofWord(row.getString("existing")).orElseThrow(),
            row.getString("params")),
        row.getObject("next_at") == null ? null : instant(row, "next_at"),
        row.getInt("open"),
        latest == null ? null : new WorkflowId(latest),
        instant(row, "now"));
  }

  @Override
  public Map<Instant, Existing.Found> readExisting(
      String tenant, String workflow, Collection<Instant> instants) {
    var query = query("read_existing").bind("tenant", tenant).bind("workflow", workflow);
    Unnest.bind(query, "instants", String.class, List.copyOf(instants), BackfillSql::text);
    Map<Instant, Existing.Found> found = new HashMap<>();
    query
        .map(
            (row, context) -> {
              String state = row.getString("state");
              return Map.entry(
                  instant(row, "at"),
                  new Existing.Found(state == null ? null : RunState.valueOf(state)));
            })
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  @Override
  public void lockTriggers(String tenant, String workflow, @Nullable TriggerId trigger) {
    query("lock_triggers")
        .bind("tenant", tenant)
        .bind("workflow", workflow)
        .bind("trigger", trigger == null ? null : trigger.value())
        .mapTo(UUID.class)
        .list();
  }

  @Override
  public boolean advance(
      BackfillId id, Instant from, @Nullable Instant to, int fired, int skipped) {
    return of(update("advance_backfill"), id)
            .bind("from", time(from))
            .bind("to", to == null ? null : time(to))
            .bind("fired", fired)
            .bind("skipped", skipped)
            .execute()
        > 0;
  }

  @Override
  public void insertFires(BackfillId id, List<Fire> fires) {
    var update = of(update("insert_fires"), id);
    Unnest.bind(update, "ats", String.class, fires, fire -> text(fire.at()));
    Unnest.bind(update, "reasons", String.class, fires, Fire::skipped);
    Unnest.bind(
        update,
        "run_ids",
        UUID.class,
        fires,
        fire -> {
          RunId run = fire.run();
          return run == null ? null : run.value();
        });
    update.execute();
  }

  @Override
  public boolean complete(BackfillId id) {
    return of(update("complete_backfill"), id).execute() > 0;
  }

  @Override
  public boolean giveUp(BackfillId id, String reason) {
    return end(id, reason, BackfillState.RUNNING);
  }

  @Override
  public boolean cancel(BackfillId id, String reason) {
    return end(id, reason, BackfillState.RUNNING, BackfillState.PAUSED);
  }

  private boolean end(BackfillId id, String reason, BackfillState... from) {
    var update = of(update("end_backfill"), id).bind("reason", reason);
    Unnest.bind(update, "states", String.class, List.of(from), BackfillState::name);
    return update.execute() > 0;
  }

  @Override
  public boolean lockWorkflow(BackfillId id) {
    return query("lock_workflow")
        .bind("id", id.value())
        .mapTo(String.class)
        .findFirst()
        .isPresent();
  }

  @Override
  public Optional<BackfillState> findState(BackfillId id) {
    return query("find_state").bind("id", id.value()).mapTo(BackfillState.class).findFirst();
  }

  @Override
  public boolean pause(BackfillId id, String reason) {
    return of(update("pause_backfill"), id).bind("reason", reason).execute() > 0;
  }

  @Override
  public boolean resume(BackfillId id) {
    return of(update("resume_backfill"), id).execute() > 0;
  }

  @Override
  public int cancelQueued(BackfillId id, String actor) {
    return query("cancel_queued")
        .bind("id", id.value())
        .bind("actor", actor)
        .mapTo(Integer.class)
        .one();
  }

  @Override
  public List<RunId> readOpen(BackfillId id) {
    return query("read_open_runs")
        .bind("id", id.value())
        .map((row, context) -> new RunId(row.getObject("id", UUID.class)))
        .list();
  }

  private Query query(String name) {
    return handle.createQuery(Sql.named("backfill/" + name));
  }

  private Update update(String name) {
    return handle.createUpdate(Sql.named("backfill/" + name));
  }

  private static Update of(Update update, BackfillId id) {
    return update.bind("id", id.value());
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  /** An array of times is bound as text; the statement casts it. */
  private static String text(Instant instant) {
    return time(instant).toString();
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
