package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.StoreFixture;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cost follows change, not size: among many finished tasks, no hot statement reads a whole table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPlansTest {

  private static final int FINISHED = 20_000;
  private static final int RUNS = 200;
  private static final int TRIGGERS = 3_000;
  private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)");
  private static final Pattern WHOLE_TABLE =
      Pattern.compile("Seq Scan on (task|past_attempt|step|fire|trigger)\\w*");

  private static final String ID = "'" + StoreFixture.WORKER + "'";
  private static final String IDS = "'{" + StoreFixture.WORKER + "," + StoreFixture.SESSION + "}'";
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("queues", "'{1,2}'"),
          Map.entry("takes", "'{100,100}'"),
          Map.entry("afters", "'{" + StoreFixture.WORKER + ",NULL}'"),
          Map.entry("after_queue", "0"),
          Map.entry("live", IDS),
          Map.entry("sessions", IDS),
          Map.entry("pools", "'{a,b}'"),
          Map.entry("except", IDS),
          Map.entry("silence_seconds", "30"),
          Map.entry("max", "1000"),
          Map.entry("after", ID),
          Map.entry("heartbeat_ms", "5000"),
          Map.entry("actor", "'test'"),
          Map.entry("worker", ID),
          Map.entry("session", ID),
          Map.entry("connection", "1"),
          Map.entry("assigned", IDS),
          Map.entry("dispatches", IDS),
          Map.entry("from_sessions", IDS),
          Map.entry("runs", IDS),
          Map.entry("tasks", IDS),
          Map.entry("ids", IDS),
          Map.entry("epoch", "1"),
          Map.entry("reason", "'cancelled'"),
          Map.entry("by", "'test'"),
          Map.entry("marks", "'{1,2}'"),
          Map.entry("due_ats", "'{NULL,NULL}'"),
          Map.entry("after_ms", "'{1,1}'"),
          Map.entry("note", "'test'"),
          Map.entry("asked_bys", "'{x,x}'"),
          Map.entry("generations", "'{1,1}'"),
          Map.entry("outcomes", "'{x,x}'"),
          Map.entry("from_states", "'{RUNNING,RUNNING}'"),
          Map.entry("to_states", "'{SUCCEEDED,SUCCEEDED}'"),
          Map.entry("terminals", "'{t,t}'"),
          Map.entry("reasons", "'{x,x}'"),
          Map.entry("works", "'{\"{}\",\"{}\"}'"),
          Map.entry("labels", "'{\"{}\",\"{}\"}'"),
          Map.entry("task_ids", IDS),
          Map.entry("worker_ids", IDS),
          Map.entry("dispatch_ids", IDS),
          Map.entry("session_ids", IDS),
          Map.entry("workers", IDS),
          Map.entry("overs", "'{t,t}'"),
          Map.entry("via_runnings", "'{t,t}'"),
          Map.entry("started_ms", "'{1,1}'"),
          Map.entry("ended_ms", "'{1,1}'"),
          Map.entry("wait_ms", "'{1,1}'"),
          Map.entry("error_mores", "'{0,0}'"),
          Map.entry("lost_mores", "'{0,0}'"),
          Map.entry("crash_mores", "'{0,0}'"),
          Map.entry("unavailable_mores", "'{0,0}'"),
          Map.entry("dispatch_failed_mores", "'{0,0}'"),
          Map.entry("since", "'{2026-01-01T00:00:00Z,2026-01-01T00:00:00Z}'"),
          Map.entry("patience", "'{1,1}'"),
          Map.entry("may_run_on_ms", "'{1,1}'"),
          Map.entry("sure", "1.5"),
          Map.entry("exit_codes", "'{0,0}'"),
          Map.entry("signals", "'{0,0}'"),
          Map.entry("details", "'{x,x}'"),
          Map.entry("deadline_ms", "'{1,1}'"),
          Map.entry("after_starts", "'{t,f}'"),
          Map.entry("ready_since", "'{1,1}'"),
          Map.entry("adopted", "'{t,f}'"),
          Map.entry("again", "true"),
          Map.entry("bytes", "'{1,1}'"),
          Map.entry("task", ID),
          Map.entry("dispatch", ID),
          Map.entry("before", "belay_now()"),
          Map.entry("below", ID),
          Map.entry("row_versions", "'{1,1}'"),
          Map.entry("tenant", "'default'"),
          Map.entry("workflow", "'w7'"),
          Map.entry("trigger", "'nightly'"),
          Map.entry("name", "'nightly'"),
          Map.entry("outcome", "'skipped'"),
          Map.entry("cursor", ID),
          Map.entry("cursor_at", "belay_now()"),
          Map.entry("cursor_trigger", ID),
          Map.entry("floor", "TIMESTAMPTZ '2020-01-01T00:00:00Z'"),
          Map.entry("scan", "20000"),
          Map.entry("paused_at", "belay_now()"),
          Map.entry("retention_seconds", "7776000"),
          Map.entry("limit", "50"));

  private final StoreFixture store = new StoreFixture();

  @BeforeAll
  void fill() {
    store.worker();
    var run = store.openRun();
    store.run(
        """
        INSERT INTO run SELECT md5('run' || n)::uuid, tenant, workflow_id, workflow, 'SUCCEEDED', params, reason,
          generation, logical_date, created_at, created_by, started_at, belay_now()
        FROM run, generate_series(1, %d) AS n WHERE id = '%s'\
        """
            .formatted(RUNS, run));
    store.run(
        """
        INSERT INTO task (id, tenant, run_id, name, state, priority, fencing_token, pool, reason, state_since, dispatch_id,
          worker_id, session_id, epoch, created_at, dispatched_at, started_at, ended_at, attempt_ended_at, end_reason)
        SELECT md5('task' || n)::uuid, 'default', md5('run' || (1 + n %% %d))::uuid, 't' || n, 'SUCCEEDED', 50, 1,
          'default', 'exit_code: 0', belay_now(), md5('dispatch' || n)::uuid, '%s', '%s', 1, belay_now(), belay_now(),
          belay_now(), belay_now(), belay_now(), 'exit_code: 0'
        FROM generate_series(1, %d) AS n\
        """
            .formatted(RUNS, StoreFixture.WORKER, StoreFixture.SESSION, FINISHED));
    store.run("INSERT INTO task_payload SELECT id, '{}', '{}' FROM task");
    store.run(
        """
        INSERT INTO past_attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at,
          ended_at, end_reason)
        SELECT dispatch_id, id, 1, 1, worker_id, session_id, 1, dispatched_at, ended_at, reason FROM task\
        """);
    store.run(
        """
        INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, dispatch_id, at)
        SELECT id, 1, 'RUNNING', 'SUCCEEDED', reason, 'worker', dispatch_id, ended_at FROM task\
        """);
    store.run(
        """
        INSERT INTO task_queue (hash, spec, used_at)
        SELECT sha256(convert_to(number::text, 'UTF8')), '{}', belay_now() FROM generate_series(1, 5000) AS number\
        """);
    fillTriggers();
    store.run("ANALYZE");
  }

  /** Each with a few rows in its ledger, and one with many. */
  private void fillTriggers() {
    store.run(
        """
        INSERT INTO trigger
        SELECT md5('trigger' || n)::uuid, 'default', 'w' || n, 'nightly', belay_now() FROM generate_series(1, %d) AS n\
        """
            .formatted(TRIGGERS));
    store.run(
        """
        INSERT INTO trigger_version (id, trigger_id, kind, spec, from_at, next_at, due_at)
        SELECT id, id, 'timed', '{}', belay_now(), belay_now(), belay_now() FROM trigger\
        """);
    store.run(
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, run_id, decided_at)
        SELECT id, at, at, 'fired', id, at
        FROM trigger, generate_series(belay_now() - interval '1 hour', belay_now(), interval '30 min') AS at\
        """);
    store.run(
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, reason, decided_at)
        SELECT md5('trigger7')::uuid, at, at, 'skipped', 'missed', at
        FROM generate_series(belay_now() - interval '8 hours', belay_now() - interval '2 hours', interval '1 s') AS at\
        """);
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dispatch/read_waiting",
        "dispatch/read_candidates",
        "dispatch/read_workers",
        "dispatch/read_next_due",
        "admit/lock_due",
        "dispatch/claim_tasks",
        "worker/read_mailbox",
        "worker/rebind_tasks",
        "result/lock_tasks",
        "result/read_works",
        "result/write_results",
        "result/write_usual",
        "result/annotate_attempts",
        "result/note_output_lost",
        "read/list_history",
        "read/list_attempts",
        "log/find_owner",
        "deadletter/give_up",
        "deadletter/forget_idle_unserved",
        "plan/read_marks",
        "plan/read_tasks",
        "plan/lock_tasks",
        "plan/move_tasks",
        "plan/set_deadlines",
        "plan/abort_tasks",
        "plan/end_runs",
        "recovery/read_last_signs",
        "recovery/close_recoveries",
        "retention/read_finished_tasks",
        "retention/read_finished_runs",
        "retention/read_tasks_of_runs",
        "retention/archive_tasks",
        "retention/archive_runs",
        "retention/delete_tasks",
        "retention/delete_runs",
        "schedule/list_triggers",
        "schedule/find_trigger",
        "schedule/list_removed_triggers",
        "schedule/list_fires",
        "schedule/find_fire_floor",
        "schedule/find_trigger_control",
        "schedule/pause_trigger",
        "schedule/resume_trigger",
        "schedule/replay_triggers",
        "schedule/delete_fires",
      })
  void statement_reads_no_whole_table(String statement) {
    assertThat(explain(Sql.named(statement))).doesNotContainPattern(WHOLE_TABLE);
  }

  /** The check above can fail. */
  @Test
  void whole_table_would_be_seen() {
    assertThat(explain("SELECT count(*) FROM attempt WHERE detail = 'x'"))
        .containsPattern(WHOLE_TABLE);
  }

  private String explain(String sql) {
    String bound =
        PARAMETER
            .matcher(sql)
            .replaceAll(
                found -> {
                  var value = VALUES.get(found.group(1));
                  assertThat(value).as(found.group(1)).isNotNull();
                  return Matcher.quoteReplacement(value);
                });
    return store.text("EXPLAIN " + bound);
  }
}
