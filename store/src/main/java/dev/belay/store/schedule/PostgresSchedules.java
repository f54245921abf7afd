package dev.belay.store.schedule;

import static dev.belay.store.schedule.ScheduleSql.text;
import static dev.belay.store.schedule.ScheduleSql.time;
import static dev.belay.store.schedule.ScheduleSql.timeOrNull;

import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.Workflow;
import dev.belay.store.Sql;
import dev.belay.workflow.SpecCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The leader's reads of timed triggers, on PostgreSQL. */
public final class PostgresSchedules implements ScheduleReads {

  private final Jdbi jdbi;

  public PostgresSchedules(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public List<Due> readDue(int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("schedule/read_due"))
                .bind("max", max)
                .map((row, context) -> due(row))
                .list());
  }

  private static Due due(ResultSet row) throws SQLException {
    String overlap = row.getString("overlap");
    return new Due(
        row.getObject("id", UUID.class),
        new TriggerId(row.getObject("trigger_id", UUID.class)),
        new Workflow(row.getString("tenant"), row.getString("workflow")),
        row.getString("spec"),
        timeOrNull(row, "next_at"),
        timeOrNull(row, "until_at"),
        row.getBoolean("paused"),
        timeOrNull(row, "replay_from"),
        new State(
            new WorkflowId(row.getObject("latest", UUID.class)),
            row.getBoolean("workflow_paused"),
            row.getObject("max_active", Integer.class),
            overlap == null ? Overlap.QUEUE : Overlap.valueOf(overlap)),
        time(row, "now"));
  }

  @Override
  public Optional<NextDue> readNextDue() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("schedule/read_next_due"))
                .map((row, context) -> nextDue(row))
                .one());
  }

  private static Optional<NextDue> nextDue(ResultSet row) throws SQLException {
    Instant due = timeOrNull(row, "due_at");
    return due == null
        ? Optional.empty()
        : Optional.of(new NextDue(due, Duration.between(time(row, "now"), due)));
  }

  /** Specs of workflow versions without their tasks, as JSON. */
  public Map<WorkflowId, String> readParams(Collection<WorkflowId> versions) {
    Map<WorkflowId, String> specs = new HashMap<>();
    jdbi.useHandle(
        handle ->
            handle
                .createQuery(Sql.named("schedule/read_params"))
                .bindArray("ids", UUID.class, versions.stream().map(WorkflowId::value).toList())
                .map(
                    (row, context) ->
                        Map.entry(
                            new WorkflowId(row.getObject("id", UUID.class)), row.getString("spec")))
                .forEach(spec -> specs.put(spec.getKey(), spec.getValue())));
    return specs;
  }

  @Override
  public Map<String, DayCalendar> readCalendars() {
    Map<String, DayCalendar> calendars = new HashMap<>();
    jdbi.useHandle(
        handle ->
            handle
                .createQuery(Sql.named("schedule/read_calendars"))
                .map(
                    (row, context) ->
                        SpecCodec.calendarFromJson(row.getString("name"), row.getString("spec")))
                .forEach(calendar -> calendars.put(calendar.name(), calendar)));
    return calendars;
  }

  @Override
  public List<Instant> readPaused(TriggerId trigger, Instant since, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("schedule/read_paused"))
                .bind("trigger", trigger.value())
                .bind("since", text(since))
                .bind("max", max)
                .map((row, context) -> time(row, "at"))
                .list());
  }
}
