package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/** Reads the tables of the store. There is one writer at a time, so ids follow commits. */
record PostgresObserved(Jdbi jdbi) implements Observed {

  @Override
  public List<TaskChange> taskChangesAfter(long id) {
    return after(
        id,
        """
        SELECT h.id, h.task_id, t.run_id, h.from_state, h.to_state, h.reason, h.dispatch_id, h.at
        FROM history h JOIN task t ON t.id = h.task_id
        WHERE h.id > :id
        ORDER BY h.task_id, h.id
        """,
        (row, context) -> {
          var run = uuid(row, "run_id");
          var dispatch = uuid(row, "dispatch_id");
          var from = row.getString("from_state");
          return new TaskChange(
              row.getLong("id"),
              new TaskId(row.getObject("task_id", UUID.class)),
              run == null ? null : new RunId(run),
              from == null ? null : TaskState.valueOf(from),
              TaskState.valueOf(row.getString("to_state")),
              row.getString("reason"),
              dispatch == null ? null : new DispatchId(dispatch),
              row.getTimestamp("at").toInstant());
        });
  }

  @Override
  public List<RunChange> runChangesAfter(long id) {
    return after(
        id,
        """
        SELECT id, run_id, from_state, to_state
        FROM run_history
        WHERE id > :id
        ORDER BY run_id, id
        """,
        (row, context) -> {
          var from = row.getString("from_state");
          return new RunChange(
              row.getLong("id"),
              new RunId(row.getObject("run_id", UUID.class)),
              from == null ? null : RunState.valueOf(from),
              RunState.valueOf(row.getString("to_state")));
        });
  }

  private <T> List<T> after(long id, String sql, RowMapper<T> mapper) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).bind("id", id).map(mapper).list());
  }

  private static @Nullable UUID uuid(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public List<TaskNow> tasks(Collection<TaskId> tasks) {
    return named(
        tasks.stream().map(TaskId::value).toList(),
        "SELECT id, state FROM task WHERE id = ANY(CAST(:ids AS uuid[])) ORDER BY id",
        (row, context) ->
            new TaskNow(
                new TaskId(row.getObject("id", UUID.class)),
                TaskState.valueOf(row.getString("state"))));
  }

  @Override
  public List<Attempt> attempts(Collection<DispatchId> dispatches) {
    return named(
        dispatches.stream().map(DispatchId::value).toList(),
        """
        SELECT dispatch_id, started_at, ended_at, exit_code, late_outcome
        FROM attempt
        WHERE dispatch_id = ANY(CAST(:ids AS uuid[]))
        ORDER BY dispatch_id
        """,
        (row, context) ->
            new Attempt(
                new DispatchId(row.getObject("dispatch_id", UUID.class)),
                instant(row.getTimestamp("started_at")),
                instant(row.getTimestamp("ended_at")),
                row.getObject("exit_code", Integer.class),
                row.getString("late_outcome")));
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }

  private <T> List<T> named(List<UUID> ids, String sql, RowMapper<T> mapper) {
    return jdbi.withHandle(
        handle -> handle.createQuery(sql).bindArray("ids", UUID.class, ids).map(mapper).list());
  }

  @Override
  public List<String> oddAttempts() {
    return lines(
        """
        SELECT 'attempt ' || a.dispatch_id || ' is open, task ' || t.id || ' is ' || t.state
        FROM attempt a JOIN task t ON t.id = a.task_id
        WHERE a.ended_at IS NULL
          AND NOT (t.state IN ('DISPATCHED', 'RUNNING') AND t.dispatch_id = a.dispatch_id
                   AND t.session_id = a.session_id AND t.generation = a.generation)
        UNION ALL
        SELECT 'task ' || t.id || ' is ' || t.state || ', attempt ' || t.dispatch_id || ' is not open'
        FROM task t
        WHERE t.state IN ('DISPATCHED', 'RUNNING')
          AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.dispatch_id = t.dispatch_id AND a.ended_at IS NULL)
        UNION ALL
        SELECT 'attempt ' || a.dispatch_id || ' was claimed in epoch ' || a.epoch || ' after epoch ' || l.epoch || ' began'
        FROM attempt a, leadership l
        WHERE a.epoch < l.epoch AND a.dispatched_at > l.since
        """);
  }

  @Override
  public List<String> forgottenByCancel() {
    return lines(
        """
        SELECT 'task ' || t.name || ' ' || t.id || ' is ' || t.state
        FROM run r JOIN task t ON t.run_id = r.id
        WHERE r.cancel_requested_at IS NOT NULL
          AND t.state IN ('WAITING', 'PENDING', 'SCHEDULED')
          AND NOT EXISTS (SELECT 1 FROM mark m WHERE m.run_id = r.id)
        """);
  }

  @Override
  public List<String> unfinished() {
    return lines(
        """
        SELECT 'task ' || name || ' ' || id || ' is ' || state || ' (' || reason || ')'
        FROM task
        WHERE ended_at IS NULL
        UNION ALL
        SELECT 'run ' || workflow || ' ' || id || ' is ' || state FROM run WHERE ended_at IS NULL
        UNION ALL
        SELECT 'mark ' || id || ' of run ' || run_id FROM mark
        ORDER BY 1
        """);
  }

  private List<String> lines(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(String.class).list());
  }

  @Override
  public List<Recovery> recoveriesAfter(long id) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT id, kind, task_id, promised_ms,"
                        + " CAST(extract(epoch FROM detected_at - last_sign_at) * 1000 AS bigint)"
                        + " AS since_ms FROM recovery WHERE id > :id ORDER BY id")
                .bind("id", id)
                .map(
                    (row, context) ->
                        new Recovery(
                            row.getLong("id"),
                            RecoveryKind.of(row.getString("kind")).orElseThrow(),
                            Optional.ofNullable(row.getObject("task_id", UUID.class))
                                .map(TaskId::new)
                                .orElse(null),
                            Duration.ofMillis(row.getLong("since_ms")),
                            Duration.ofMillis(row.getLong("promised_ms"))))
                .list());
  }

  @Override
  public List<String> overLimit() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT c.name || ' has ' || count(*) || ' of ' || c.max_active FROM run JOIN"
                        + " workflow_control c ON c.tenant = run.tenant AND c.name = run.workflow"
                        + " WHERE run.state = 'RUNNING' GROUP BY c.tenant, c.name, c.max_active"
                        + " HAVING count(*) > c.max_active")
                .mapTo(String.class)
                .list());
  }

  @Override
  public List<String> writesOfDeposed() {
    return List.of();
  }
}
