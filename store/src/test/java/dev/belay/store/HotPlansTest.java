package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.queue.UnusedQueues;
import dev.belay.store.reap.PostgresReap;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.workflow.SpecCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the real plan (auto_explain) of every statement that a busy system repeats, beside many
 * finished rows: no plan may touch those.
 */
class HotPlansTest {

  private static final int FINISHED = 20_000;
  private static final int BATCH = 40;

  /** All that one step writes. */
  private static final int FIRE_BATCHES = 4;

  /** A batch touches its own rows, some of them several times. */
  private static final long TOUCHED_MAX = 10 * BATCH;

  /** Always small, so a scan is the best plan. */
  private static final Set<String> SMALL =
      Set.of("worker", "mark", "leadership", "workflow", "replica", "recovery");

  private static final JsonMapper JSON = new JsonMapper();

  private final LiveStore store = new LiveStore();
  private final Map<String, List<JsonNode>> plans = new LinkedHashMap<>();

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void no_hot_statement_touches_finished_rows(boolean analysed) {
    // Else PostgreSQL may count the rows in the middle, when there are only finished ones.
    store.rows().run("ALTER TABLE task SET (autovacuum_enabled = false)");
    finishedTasks();
    timersThatAreNotDue();
    tasksOfOtherTaskQueues();
    keysOfFinishedTasks();
    schedules();
    Peer worker = store.newWorker();
    store.rows().run("UPDATE worker SET slots = 1000");
    if (analysed) {
      store.rows().run("ANALYZE");
    }
    explain();

    List<WorkerEvent> starts = new ArrayList<>();
    List<WorkerEvent> ends = new ArrayList<>();
    for (int i = 0; i < 2 * BATCH; i++) {
      store.submit(LiveStore.RETRIES);
    }
    store.dispatch.readWorkers();
    List<Candidate> candidates = store.candidates(Map.of(LiveStore.POOL, BATCH), List.of());
    assertThat(store.candidates(Map.of("turns", BATCH), List.of()))
        .extracting(Candidate::run)
        .as("each of another run")
        .doesNotHaveDuplicates()
        .hasSize(BATCH);
    for (Claim claim : claims(candidates)) {
      store.claim(store.epoch(), worker, List.of(claim));
      starts.add(store.started(worker, claim.dispatch()));
      ends.add(store.exited(worker, claim.dispatch(), starts.size() % 10 == 0 ? 1 : 0));
    }
    store.workers.readMailbox(worker, List.of());
    store.results.write(starts);
    store.results.write(ends);
    store.due.promote(store.epoch(), BATCH);
    store
        .rows()
        .run(
            "UPDATE task SET not_before = belay_now() WHERE state = 'PENDING' AND pool <> 'later'");
    store.due.promote(store.epoch(), BATCH);
    List<RunId> runs = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      runs.add(store.trigger());
    }
    store.plans.readMarks(BATCH);
    store.plans.readRuns(runs);
    reap(worker);
    assertThat(fire().runOnce()).isEqualTo(Duration.ZERO);
    countFullTenant();
    store.jdbi().inTransaction(handle -> UnusedQueues.forget(handle, Duration.ofDays(90), BATCH));

    assertThat(plans.keySet())
        .as("the statements that were seen")
        .contains(
            "intake/insert_tasks",
            "dispatch/read_workers",
            "dispatch/read_waiting",
            "dispatch/read_candidates",
            "dispatch/claim_tasks",
            "admit/lock_due",
            "dispatch/read_next_due",
            "dispatch/look_quiet",
            "worker/read_mailbox",
            "result/write_usual",
            "result/lock_tasks",
            "result/write_results",
            "plan/read_marks",
            "plan/read_runs",
            "plan/read_tasks",
            "reap/read_signs",
            "reap/read_missing",
            "reap/read_active",
            "reap/expire_deadlines",
            "reap/abort_overdue",
            "admit/lock_stuck",
            "reap/expire_waits",
            "reap/read_orphans",
            "reap/look_due",
            "schedule/read_next_due",
            "schedule/read_due",
            "schedule/advance_versions",
            "schedule/read_backfilled",
            "schedule/insert_runs",
            "schedule/insert_fires",
            "intake/count_waiting",
            "queue/delete_queues");
    plans.forEach((name, seen) -> seen.forEach(plan -> check(name, plan, plan)));
  }

  /** The reaper's work each second, and for the tasks of a doubtful worker. */
  private void reap(Peer worker) {
    var reads = new PostgresReap(store.jdbi(), ReapSettings.DEFAULT);
    var reap = store.reaps(ReapSettings.DEFAULT);
    var survey = reads.survey();
    reads.readActive(List.of(worker.worker()), null, BATCH, survey);
    reap.expireDeadlines(store.epoch(), BATCH);
    // Gives the statement a row to find, so another statement follows and PostgreSQL logs the plan.
    store
        .rows()
        .run(
            "UPDATE task SET state = 'PENDING', state_since = belay_now() - interval '1 hour' WHERE"
                + " id = (SELECT id FROM task WHERE state = 'SCHEDULED' AND pool = 'default' LIMIT"
                + " 1)");
    assertThat(reap.replayPending(store.epoch(), BATCH)).isEqualTo(1);
    reap.expireWaits(store.epoch(), BATCH);
    reads.readOrphans(null, BATCH);
    reap.look();
    store.dispatch.lookQuiet();
    store.dispatch.readWorkers();
  }

  /** Beside the tasks of others. */
  private void countFullTenant() {
    store
        .rows()
        .run(
            "INSERT INTO tenant (name, weight, max_waiting, declared_in, version, changed_at,"
                + " changed_by) VALUES ('full', 1, 1, 'API', 1, belay_now(), 'me')",
            "INSERT INTO tenant_intake VALUES ('full', 1, belay_now() - interval '1 hour', 0,"
                + " belay_now())");
    var task =
        new NewTask(
            "full",
            "a",
            50,
            "default",
            "{}",
            "{}",
            false,
            null,
            null,
            QueueOf.alone("full", "default", RunPolicy.DEFAULT));
    for (int i = 0; i < 2; i++) {
      new TaskIntake(store.jdbi(), store.ids(), store.rows().hints(), store.queues, Meters.NONE)
          .submit(List.of(new Batch(null, List.of(task))), "me");
    }
  }

  private List<Claim> claims(List<Candidate> candidates) {
    assertThat(candidates).hasSize(BATCH);
    return candidates.stream()
        .map(candidate -> new Claim(candidate.task(), new DispatchId(store.ids().next()), 0, false))
        .toList();
  }

  private static void check(String name, JsonNode node, JsonNode whole) {
    String table = node.path("Relation Name").asText("");
    if (!table.isEmpty() && SMALL.stream().noneMatch(table::equals)) {
      long loops = node.path("Actual Loops").asLong();
      long touched =
          loops
              * (long)
                  (node.path("Actual Rows").asDouble()
                      + node.path("Rows Removed by Filter").asDouble()
                      + node.path("Rows Removed by Index Recheck").asDouble());
      assertThat(touched)
          .as("rows of %s touched by %s with %s", table, name, whole.toPrettyString())
          .isLessThanOrEqualTo(TOUCHED_MAX);
    }
    node.path("Plans").forEach(child -> check(name, child, whole));
  }

  /** Like those of a busy week. */
  private void finishedTasks() {
    UUID worker = store.ids().next();
    store
        .rows()
        .run(
            """
            INSERT INTO task (id, tenant, name, state, priority, fencing_token, pool, reason, state_since, dispatch_id, worker_id,
              session_id, epoch, created_at, dispatched_at, started_at, ended_at, attempt_ended_at, end_reason)
            SELECT id, 'default', 't', 'SUCCEEDED', 50, 1, 'default', 'exit_code: 0', belay_now(), id, '%s', '%s',
              1, belay_now(), belay_now(), belay_now(), belay_now(), belay_now(), 'exit_code: 0'
            FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, %d)) AS ids\
            """
                .formatted(worker, worker, FINISHED));
    store
        .rows()
        .run(
            "INSERT INTO task_payload SELECT id, '{\"argv\": [\"true\"]}', '{}' FROM task; INSERT"
                + " INTO past_attempt (dispatch_id, task_id, number, generation, worker_id,"
                + " session_id, epoch, dispatched_at, ended_at, end_reason) SELECT dispatch_id, id,"
                + " 0, 1, worker_id, session_id, 1, belay_now(), belay_now(), 'exit_code: 0' FROM"
                + " task; INSERT INTO step (task_id, attempt, to_state, reason, actor, at) SELECT"
                + " id, 0, 'SCHEDULED', '', 'me', belay_now() FROM task; INSERT INTO workflow (id,"
                + " tenant, name, version, spec, source, spec_hash, task_count, created_at,"
                + " created_by) VALUES ('"
                + worker
                + "', 'default', 'past', 1, '{}', '', '', 0, belay_now(), 'me'); INSERT INTO run"
                + " (id, tenant, workflow_id, workflow, state, params, logical_date, created_at,"
                + " created_by, started_at, ended_at) SELECT id, 'default', '"
                + worker
                + "', 'past', 'SUCCEEDED', '{}', belay_now(), belay_now(), 'me', belay_now(),"
                + " belay_now() FROM task");
  }

  /** Stored long ago, for another day: only their first entry in the index may be touched. */
  private void timersThatAreNotDue() {
    store
        .rows()
        .run(
            """
            INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at, not_before,
              queue_id)
            SELECT gen_random_uuid(), 'default', 't', CAST(state AS task_state), 50, 'later', 'delayed',
              belay_now() - interval '1 hour', belay_now() - interval '1 hour',
              belay_now() + interval '1 day' + number * interval '1 second',
              (SELECT queue_of_pool('default', NULL, 'later'))
            FROM generate_series(1, %d) AS number, unnest(ARRAY['PENDING', 'DEFERRED']) AS state\
            """
                .formatted(FINISHED / 2));
  }

  /** Many in one that nobody reads, and many runs that take turns. */
  private void tasksOfOtherTaskQueues() {
    store
        .rows()
        .run(
            """
            INSERT INTO task (id, tenant, run_id, name, state, priority, pool, reason, state_since, created_at, queue_id)
            SELECT gen_random_uuid(), 'default',
              CASE WHEN pool = 'turns' THEN md5((number %% 500)::text)::uuid END, 't' || number, 'SCHEDULED', 50, pool,
              'ready', belay_now(), belay_now(), queue_id
            FROM generate_series(1, %d) AS number,
              (VALUES ('blocked', queue_of_pool('default', NULL, 'blocked')),
                      ('turns', queue_of_pool('default', 'w', 'turns'))) AS queues (pool, queue_id)\
            """
                .formatted(FINISHED / 2));
  }

  /** Some of them were not used for days. */
  private void keysOfFinishedTasks() {
    store
        .rows()
        .run(
            """
            INSERT INTO task_queue (hash, spec, used_at)
            SELECT sha256(convert_to(number::text, 'UTF8')),
              json_build_object('tenant', 'full', 'pool', 'default', 'concurrency', json_build_object('key', number)),
              belay_now() - number * interval '20 seconds'
            FROM generate_series(1, %d) AS number\
            """
                .formatted(FINISHED));
  }

  /** Many that fired and will fire another day, and some batches of due ones. */
  private void schedules() {
    store
        .rows()
        .run(
            """
            WITH triggers AS (
              INSERT INTO trigger (id, tenant, workflow, name, created_at)
              SELECT gen_random_uuid(), 'default', 'w' || number, 'hourly', belay_now()
              FROM generate_series(1, %d) AS number
              RETURNING id
            ), fires AS (
              INSERT INTO fire (trigger_id, at, due_at, outcome, reason, decided_at)
              SELECT id, belay_now(), belay_now(), 'skipped', 'paused', belay_now()
              FROM triggers
            )
            INSERT INTO trigger_version (id, trigger_id, kind, spec, from_at, next_at, due_at)
            SELECT gen_random_uuid(), id, 'timed', '{}', belay_now(), tomorrow, tomorrow
            FROM triggers, (SELECT belay_now() + interval '1 day' AS tomorrow) AS clock\
            """
                .formatted(FINISHED));
    var planning = new Planning(store);
    for (int i = 0; i < FIRE_BATCHES * BATCH; i++) {
      planning.register(
          "name: due-%d\ntriggers: [{every: 1h}]\ntasks: [{name: a, command: [x]}]".formatted(i));
    }
    store
        .rows()
        .run(
            """
            UPDATE trigger_version v
            SET due_at = belay_now() - interval '1 hour', next_at = next_at - interval '1 hour'
            FROM trigger t
            WHERE t.id = v.trigger_id AND t.workflow LIKE 'due-%'\
            """);
  }

  private SchedulePhase fire() {
    RunParams none =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
                .toList();
    var parts =
        new SchedulePhase.Parts(
            new PostgresSchedules(store.jdbi()),
            store.transactions,
            none,
            json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
            store.ids(),
            Hints.NONE,
            Meters.NONE,
            Runnable::run);
    var usual = ScheduleSettings.DEFAULT;
    return new SchedulePhase(
        parts,
        () -> Optional.of(store.epoch()),
        new ScheduleSettings(BATCH, usual.instants(), usual.poll(), usual.retry()));
  }

  private void explain() {
    String database = store.rows().text("SELECT current_database()");
    for (String setting :
        List.of(
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_analyze = on",
            "auto_explain.log_timing = off",
            "auto_explain.log_format = 'json'",
            "auto_explain.log_level = 'notice'",
            "client_min_messages = 'notice'")) {
      store.rows().run("LOAD 'auto_explain'; ALTER DATABASE " + database + " SET " + setting);
    }
    store.rows().pool().getHikariPoolMXBean().softEvictConnections();
    store.jdbi().setSqlLogger(new PlanCollector());
  }

  private final class PlanCollector implements SqlLogger {
    @Override
    public void logAfterExecution(StatementContext context) {
      try {
        for (SQLWarning warning = context.getStatement().getWarnings();
            warning != null;
            warning = warning.getNextWarning()) {
          String text = String.valueOf(warning.getMessage());
          if (text.contains("\"Plan\"")) {
            JsonNode seen = JSON.readTree(text.substring(text.indexOf('{')));
            String name = NAMES.get(shape(seen.path("Query Text").asText()));
            if (name != null) {
              plans.computeIfAbsent(name, any -> new ArrayList<>()).add(seen.path("Plan"));
            }
          }
        }
      } catch (SQLException | IOException unreadable) {
        throw new UncheckedIOException(new IOException(unreadable));
      }
    }
  }

  /** PostgreSQL logs a plan when it closes the portal, perhaps during the next statement. */
  private static String shape(String sql) {
    return sql.replaceAll(":[a-z_]+|\\$[0-9]+", "?")
        .replaceAll("--[^\n]*", "")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static final Map<String, String> NAMES = names();

  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    for (String name :
        List.of(
            "intake/insert_tasks",
            "dispatch/read_workers",
            "dispatch/read_waiting",
            "dispatch/read_candidates",
            "dispatch/claim_tasks",
            "admit/lock_due",
            "dispatch/read_next_due",
            "dispatch/look_quiet",
            "worker/read_mailbox",
            "result/write_usual",
            "result/lock_tasks",
            "result/read_works",
            "result/write_results",
            "plan/read_marks",
            "plan/read_runs",
            "plan/read_tasks",
            "reap/read_signs",
            "reap/read_missing",
            "reap/read_active",
            "reap/expire_deadlines",
            "reap/abort_overdue",
            "admit/lock_stuck",
            "reap/expire_waits",
            "reap/read_orphans",
            "reap/look_due",
            "schedule/read_next_due",
            "schedule/read_due",
            "schedule/advance_versions",
            "schedule/read_backfilled",
            "schedule/insert_runs",
            "schedule/insert_fires",
            "intake/count_waiting",
            "queue/delete_queues")) {
      names.put(shape(Sql.named(name)), name);
    }
    return names;
  }
}
