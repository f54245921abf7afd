package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a row becomes a record, column by column. */
final class Columns {

  private Columns() {}

  static Task task(ResultSet row) throws SQLException {
    return new Task(
        uuid(row, "id"),
        text(row, "tenant"),
        uuidOrNull(row, "run"),
        row.getString("workflow"),
        text(row, "name"),
        TaskState.valueOf(text(row, "state")),
        text(row, "reason"),
        time(row, "state_since"),
        row.getInt("priority"),
        text(row, "pool"),
        row.getLong("attempts"),
        row.getInt("error_count"),
        row.getInt("lost_count"),
        row.getInt("crash_count"),
        row.getInt("generation"),
        row.getLong("fencing_token"),
        row.getBoolean("strict"),
        timeOrNull(row, "not_before"),
        timeOrNull(row, "deadline_at"),
        uuidOrNull(row, "dispatch"),
        uuidOrNull(row, "worker"),
        row.getString("worker_name"),
        time(row, "created_at"),
        timeOrNull(row, "dispatched_at"),
        timeOrNull(row, "started_at"),
        timeOrNull(row, "ended_at"));
  }

  static Task.Detail taskDetail(ResultSet row) throws SQLException {
    return new Task.Detail(task(row), json(row, "labels"), json(row, "work"));
  }

  static Attempt attempt(ResultSet row) throws SQLException {
    return new Attempt(
        uuid(row, "dispatch"),
        row.getInt("number"),
        row.getInt("generation"),
        uuid(row, "worker"),
        row.getString("worker_name"),
        uuid(row, "session"),
        row.getLong("epoch"),
        time(row, "dispatched_at"),
        timeOrNull(row, "started_at"),
        timeOrNull(row, "ended_at"),
        row.getString("end_reason"),
        row.getObject("exit_code", Integer.class),
        row.getObject("signal", Integer.class),
        row.getString("detail"),
        row.getString("abort_reason"),
        row.getString("late_outcome"),
        timeOrNull(row, "last_heard_at"),
        row.getObject("output_lost", Long.class));
  }

  static Transition transition(ResultSet row) throws SQLException {
    return new Transition(
        row.getString("from"),
        text(row, "to"),
        text(row, "reason"),
        text(row, "actor"),
        uuidOrNull(row, "dispatch"),
        time(row, "at"));
  }

  static Run run(ResultSet row) throws SQLException {
    return new Run(
        uuid(row, "id"),
        text(row, "tenant"),
        text(row, "workflow"),
        row.getInt("version"),
        RunState.valueOf(text(row, "state")),
        row.getString("reason"),
        jsonOrNull(row, "params"),
        row.getInt("generation"),
        time(row, "created_at"),
        text(row, "created_by"),
        timeOrNull(row, "started_at"),
        timeOrNull(row, "ended_at"),
        timeOrNull(row, "cancel_requested_at"));
  }

  static Workflow workflow(ResultSet row) throws SQLException {
    return new Workflow(
        uuid(row, "id"),
        text(row, "tenant"),
        text(row, "name"),
        row.getInt("version"),
        row.getInt("task_count"),
        time(row, "created_at"),
        text(row, "created_by"),
        timeOrNull(row, "paused_at") != null,
        timeOrNull(row, "paused_at"),
        row.getString("paused_by"),
        row.getObject("max_active", Integer.class));
  }

  static Workflow.Detail workflowDetail(ResultSet row) throws SQLException {
    return new Workflow.Detail(workflow(row), json(row, "spec"), text(row, "source"));
  }

  static Worker worker(ResultSet row) throws SQLException {
    return new Worker(
        uuid(row, "id"),
        text(row, "name"),
        text(row, "state"),
        List.of((String[]) row.getArray("pools").getArray()),
        row.getInt("slots"),
        row.getLong("active"),
        json(row, "labels"),
        text(row, "version"),
        text(row, "platform"),
        uuid(row, "session"),
        text(row, "replica"),
        time(row, "started_at"),
        time(row, "connected_at"),
        time(row, "last_seen_at"),
        timeOrNull(row, "disconnected_at"),
        row.getString("trouble"));
  }

  static Leadership leadership(ResultSet row) throws SQLException {
    return new Leadership(row.getString("leader"), row.getLong("epoch"), text(row, "database"));
  }

  static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getString(column), column);
  }

  private static Json json(ResultSet row, String column) throws SQLException {
    return new Json(text(row, column));
  }

  private static @Nullable Json jsonOrNull(ResultSet row, String column) throws SQLException {
    var text = row.getString(column);
    return text == null ? null : new Json(text);
  }

  private static UUID uuid(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(uuidOrNull(row, column), column);
  }

  private static @Nullable UUID uuidOrNull(ResultSet row, String column) throws SQLException {
    var text = row.getString(column);
    return text == null ? null : UUID.fromString(text);
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(timeOrNull(row, column), column);
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
