package dev.belay.simulation;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.store.system.PostgresRouting;
import dev.belay.workflow.QueueCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of the store. There is one writer at a time, so ids follow commits. Changes of
 * tasks have no ids: they are numbered as they are found.
 */
final class PostgresObserved implements Observed {

  private final Jdbi jdbi;
  private final List<TaskChange> found = new ArrayList<>();
  private final Map<TaskId, List<TaskChange>> histories = new TreeMap<>();
  private final Map<UUID, String> versions = new HashMap<>();
  private final List<String> rewritten = new ArrayList<>();
  private final PostgresObservedTriggers triggers;

  PostgresObserved(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.triggers = new PostgresObservedTriggers(jdbi);
  }

  @Override
  public List<TaskChange> taskChangesAfter(long id) {
    List<UUID> changed = findChanged();
    if (!changed.isEmpty()) {
      Map<TaskId, List<TaskChange>> read = new TreeMap<>();
      readHistories(changed)
          .forEach(step -> read.computeIfAbsent(step.task(), first -> new ArrayList<>()).add(step));
      read.forEach(this::add);
    }
    var after = new ArrayList<>(found.subList(Math.toIntExact(id), found.size()));
    after.sort(Comparator.comparing(TaskChange::task));
    return after;
  }

  private static final String QUEUES =
      """
      SELECT task.id, task.pool, CAST(task_queue.spec AS text) AS spec
      FROM task JOIN task_queue ON task_queue.id = task.queue_id
      """;

  @Override
  public List<Place> places() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    QUEUES + "WHERE task.state IN ('DISPATCHED', 'RUNNING') ORDER BY task.id")
                .map(
                    (row, context) ->
                        new Place(
                            new TaskId(row.getObject("id", UUID.class)),
                            QueueCodec.fromJson(row.getString("spec")),
                            row.getString("pool")))
                .list());
  }

  @Override
  public Map<TaskId, TaskQueue> queues(Collection<TaskId> tasks) {
    Map<TaskId, TaskQueue> queues = new HashMap<>();
    jdbi.useHandle(
        handle ->
            handle
                .createQuery(QUEUES + "WHERE task.id = ANY (:tasks)")
                .bindArray("tasks", UUID.class, tasks.stream().map(TaskId::value).toList())
                .map(
                    (row, context) ->
                        queues.put(
                            new TaskId(row.getObject("id", UUID.class)),
                            QueueCodec.fromJson(row.getString("spec"))))
                .list());
    return queues;
  }

  @Override
  public Limits limits() {
    return new PostgresRouting(jdbi).declared().limits();
  }

  @Override
  public List<ChainEnd> chainEnds() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    SELECT trigger_id, upstream_run_id, generation, outcome, reason, run_id
                    FROM chain_fire
                    ORDER BY trigger_id, upstream_run_id, generation
                    """)
                .map(
                    (row, context) -> {
                      var run = uuid(row, "run_id");
                      return new ChainEnd(
                          new TriggerId(row.getObject("trigger_id", UUID.class)),
                          new RunId(row.getObject("upstream_run_id", UUID.class)),
                          row.getInt("generation"),
                          row.getString("outcome"),
                          row.getString("reason"),
                          run == null ? null : new RunId(run));
                    })
                .list());
  }

  @Override
  public List<String> oddChains() {
    return lines(
        """
        SELECT 'the end of run ' || r.id || ' in generation ' || r.generation || ' is lost'
        FROM trigger_version v
        JOIN run r ON r.workflow = v.source AND r.ended_at IS NOT NULL
        WHERE v.kind = 'workflow' AND v.until_at IS NULL
          AND NOT EXISTS (SELECT
                          FROM chain_fire f
                          WHERE f.trigger_id = v.trigger_id AND f.upstream_run_id = r.id
                            AND f.generation = r.generation)
        UNION ALL
        SELECT 'run ' || coalesce(r.id, f.run_id) || ' was not started by exactly one end'
        FROM (SELECT id FROM run WHERE upstream_run_id IS NOT NULL) r
        FULL JOIN (SELECT run_id, count(*) AS ends FROM chain_fire WHERE outcome = 'fired' GROUP BY run_id) f
          ON f.run_id = r.id
        WHERE r.id IS NULL OR f.ends IS DISTINCT FROM 1
        ORDER BY 1
        """);
  }

  @Override
  public List<ChainedRun> chainedRuns() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    SELECT id, upstream_run_id, depth, logical_date
                    FROM run
                    WHERE upstream_run_id IS NOT NULL
                    ORDER BY id
                    """)
                .map(
                    (row, context) ->
                        new ChainedRun(
                            new RunId(row.getObject("id", UUID.class)),
                            new RunId(row.getObject("upstream_run_id", UUID.class)),
                            row.getInt("depth"),
                            row.getTimestamp("logical_date").toInstant()))
                .list());
  }

  /** Each step changes the row of its task. */
  private List<UUID> findChanged() {
    List<UUID> changed = new ArrayList<>();
    jdbi.useHandle(
        handle ->
            handle
                .createQuery("SELECT id, CAST(xmin AS text) AS version FROM task")
                .map(
                    (row, context) ->
                        Map.entry(row.getObject("id", UUID.class), row.getString("version")))
                .forEach(
                    row -> {
                      if (!row.getValue().equals(versions.put(row.getKey(), row.getValue()))) {
                        changed.add(row.getKey());
                      }
                    }));
    return changed;
  }

  private List<TaskChange> readHistories(List<UUID> tasks) {
    return named(
        tasks,
        """
        SELECT h.task_id, t.run_id, h.from_state, h.to_state, h.reason, h.actor, h.dispatch_id, h.at
        FROM history h JOIN task t ON t.id = h.task_id
        WHERE h.task_id = ANY(CAST(:ids AS uuid[]))
        ORDER BY h.task_id, h.id
        """,
        (row, context) -> {
          var run = uuid(row, "run_id");
          var dispatch = uuid(row, "dispatch_id");
          var from = row.getString("from_state");
          return new TaskChange(
              0,
              new TaskId(row.getObject("task_id", UUID.class)),
              run == null ? null : new RunId(run),
              from == null ? null : TaskState.valueOf(from),
              TaskState.valueOf(row.getString("to_state")),
              row.getString("reason"),
              row.getString("actor"),
              dispatch == null ? null : new DispatchId(dispatch),
              row.getTimestamp("at").toInstant());
        });
  }

  /** A history only grows. */
  private void add(TaskId task, List<TaskChange> now) {
    var before = histories.put(task, now);
    int known = before == null ? 0 : before.size();
    if (before != null && (now.size() < known || !now.subList(0, known).equals(before))) {
      rewritten.add("task " + task + " went through " + before + ", shown as " + now);
    }
    for (TaskChange change : now.subList(Math.min(known, now.size()), now.size())) {
      found.add(numbered(found.size() + 1L, change));
    }
  }

  private static TaskChange numbered(long id, TaskChange change) {
    return new TaskChange(
        id,
        change.task(),
        change.run(),
        change.from(),
        change.to(),
        change.reason(),
        change.actor(),
        change.dispatch(),
        change.at());
  }

  /** Only what was seen before is known here. */
  @Override
  public List<String> oddHistories() {
    return List.copyOf(rewritten);
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
        "SELECT id, state, generation, not_before FROM task WHERE id = ANY(CAST(:ids AS uuid[]))"
            + " ORDER BY id",
        (row, context) ->
            new TaskNow(
                new TaskId(row.getObject("id", UUID.class)),
                TaskState.valueOf(row.getString("state")),
                row.getInt("generation"),
                instant(row.getTimestamp("not_before"))));
  }

  @Override
  public List<DeadLetter> deadLetters(Collection<TaskId> tasks) {
    return named(
        tasks.stream().map(TaskId::value).toList(),
        "SELECT task_id, generation, reason, retried_as IS NOT NULL AS retried FROM dead_letter"
            + " WHERE task_id = ANY(CAST(:ids AS uuid[])) ORDER BY task_id, generation",
        (row, context) ->
            new DeadLetter(
                new TaskId(row.getObject("task_id", UUID.class)),
                row.getInt("generation"),
                DeadLetterReason.of(row.getString("reason")).orElseThrow(),
                row.getBoolean("retried")));
  }

  @Override
  public List<Attempt> attempts(Collection<DispatchId> dispatches) {
    return named(
        dispatches.stream().map(DispatchId::value).toList(),
        """
        SELECT dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at,
               started_at, ended_at, exit_code, late_outcome, end_reason, signal, detail,
               abort_reason, output_lost
        FROM attempt
        WHERE dispatch_id = ANY(CAST(:ids AS uuid[]))
        ORDER BY dispatch_id
        """,
        (row, context) ->
            new Attempt(
                new DispatchId(row.getObject("dispatch_id", UUID.class)),
                claimed(row),
                instant(row.getTimestamp("started_at")),
                instant(row.getTimestamp("ended_at")),
                row.getObject("exit_code", Integer.class),
                row.getString("late_outcome"),
                new Details(
                    row.getString("end_reason"),
                    row.getObject("signal", Integer.class),
                    row.getString("detail"),
                    row.getString("abort_reason"),
                    row.getObject("output_lost", Long.class))));
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    return new Claimed(
        new TaskId(row.getObject("task_id", UUID.class)),
        row.getInt("number"),
        row.getInt("generation"),
        new WorkerId(row.getObject("worker_id", UUID.class)),
        new SessionId(row.getObject("session_id", UUID.class)),
        row.getLong("epoch"),
        row.getTimestamp("dispatched_at").toInstant());
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
        SELECT 'attempt ' || dispatch_id || ' is open, task ' || id || ' is ' || state
        FROM task
        WHERE dispatch_id IS NOT NULL AND attempt_ended_at IS NULL
          AND state NOT IN ('DISPATCHED', 'RUNNING')
        UNION ALL
        SELECT 'task ' || id || ' is ' || state || ' without an open attempt'
        FROM task
        WHERE state IN ('DISPATCHED', 'RUNNING')
          AND (dispatch_id IS NULL OR attempt_ended_at IS NOT NULL)
        UNION ALL
        SELECT 'attempt ' || p.dispatch_id || ' is past and current'
        FROM past_attempt p JOIN task t ON t.id = p.task_id AND t.dispatch_id = p.dispatch_id
        UNION ALL
        SELECT 'task ' || t.id || ' has ' || coalesce(a.known, 0) || ' of ' || t.fencing_token || ' attempts'
        FROM task t
        LEFT JOIN (SELECT task_id, count(*) AS known FROM attempt GROUP BY task_id) a ON a.task_id = t.id
        WHERE coalesce(a.known, 0) <> t.fencing_token
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
          AND t.state IN ('WAITING', 'PENDING', 'SCHEDULED', 'DEFERRED')
          AND NOT EXISTS (SELECT 1 FROM mark m WHERE m.run_id = r.id)
        UNION ALL
        SELECT 'run ' || r.id || ' is ' || r.state
        FROM run r
        WHERE r.cancel_requested_at IS NOT NULL AND r.state = 'QUEUED'
          AND NOT EXISTS (SELECT 1 FROM mark m WHERE m.run_id = r.id)
        """);
  }

  @Override
  public ObservedTriggers triggers() {
    return triggers;
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
        UNION ALL
        SELECT 'end of ' || upstream_run_id || ' is not decided' FROM chain_fire WHERE outcome = 'pending'
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
  public ObservedBackfills backfills() {
    return new PostgresObservedBackfills(jdbi);
  }

  @Override
  public List<String> overLimit() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT c.name || ' has ' || count(*) || ' of ' || c.max_active FROM run JOIN"
                        + " workflow_control c ON c.tenant = run.tenant AND c.name = run.workflow"
                        + " WHERE run.state = 'RUNNING' AND run.counted GROUP BY c.tenant, c.name,"
                        + " c.max_active HAVING count(*) > c.max_active")
                .mapTo(String.class)
                .list());
  }

  @Override
  public List<String> writesOfDeposed() {
    return List.of();
  }
}
