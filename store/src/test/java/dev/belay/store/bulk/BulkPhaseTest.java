package dev.belay.store.bulk;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.id.BulkId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.bulk.BulkMeters;
import dev.belay.engine.bulk.BulkPhase;
import dev.belay.engine.bulk.BulkSteer;
import dev.belay.engine.bulk.BulkSteering;
import dev.belay.engine.port.Meters;
import dev.belay.store.Sql;
import dev.belay.store.bulk.BulkSql.NewBulk;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.BulkIntake;
import dev.belay.store.intake.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk operations on PostgreSQL, worked off step by step. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkPhaseTest {

  private static final Duration POLL = Duration.ofMinutes(1);

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private final BulkIntake intake = new BulkIntake(store.jdbi(), store.rows().hints());
  private final BulkSteering steering = new BulkSteering(store.transactions, store.rows().hints());

  @BeforeEach
  void empty() {
    store.clear();
    store.rows().run("DELETE FROM bulk_operation", "DELETE FROM alert");
    store.rows().worker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  private BulkPhase phase() {
    return phase(3, 100);
  }

  private BulkPhase phase(int batch, int look) {
    return new BulkPhase(
        store.transactions,
        new BulkPhase.Parts(
            store.taskSteering::graphOf,
            store.ids(),
            store.rows().hints(),
            Meters.NONE,
            BulkMeters.NONE),
        new BulkPhase.Settings(batch, look, 100, POLL),
        () -> Optional.of(store.epoch()));
  }

  /** Steps until nothing is left to do at once. */
  private static void finish(BulkPhase phase) {
    for (int i = 0; i < 1_000; i++) {
      if (phase.runOnce().equals(POLL)) {
        return;
      }
    }
    throw new AssertionError("still not done");
  }

  private static BulkFilter filter(String... states) {
    return narrow(null, null, states);
  }

  private static BulkFilter narrow(
      @Nullable String workflow, @Nullable String name, String... states) {
    var wanted = new TreeSet<>(List.of(states));
    return new BulkFilter("default", wanted, workflow, null, null, name, Map.of(), null, null);
  }

  private BulkId start(BulkKind kind, BulkFilter filter) {
    return start(kind, filter, null);
  }

  private BulkId start(BulkKind kind, BulkFilter filter, @Nullable Double rate) {
    var wanted =
        new NewBulk(
            new BulkId(store.ids().next()),
            kind,
            filter,
            kind == BulkKind.PRIORITY ? 80 : null,
            "why",
            rate,
            "{}");
    assertThat(intake.start(wanted, null, "ann", 10))
        .isInstanceOf(BulkIntake.Started.Accepted.class);
    return wanted.id();
  }

  private List<UUID> tasks(int count, TaskState state) {
    var tasks = new ArrayList<UUID>();
    for (int i = 0; i < count; i++) {
      tasks.add(store.rows().task(state, null));
    }
    return tasks;
  }

  private String states(List<UUID> tasks) {
    var states = new ArrayList<String>();
    tasks.forEach(
        id -> states.add(store.rows().text("SELECT state FROM task WHERE id = '" + id + "'")));
    return String.join(" ", states);
  }

  private String bulk(BulkId id, String expression) {
    return store
        .rows()
        .text("SELECT %s FROM bulk_operation WHERE id = '%s'".formatted(expression, id));
  }

  private String progress(BulkId id) {
    return bulk(id, "concat_ws(' ', state, matched, changed, refused, reasons)");
  }

  @Test
  void tasks_that_match_are_cancelled_in_batches_and_others_stay() {
    var wanted = tasks(7, TaskState.SCHEDULED);
    var others = tasks(2, TaskState.BLOCKED);
    var running = tasks(1, TaskState.RUNNING);
    var id = start(BulkKind.CANCEL, filter("SCHEDULED", "RUNNING"));
    var later = tasks(2, TaskState.SCHEDULED);
    finish(phase());
    assertThat(states(wanted)).isEqualTo("CANCELLED ".repeat(7).strip());
    assertThat(states(others)).isEqualTo("BLOCKED BLOCKED");
    assertThat(states(later)).as("created after the request").isEqualTo("SCHEDULED SCHEDULED");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', abort_reason, abort_by, abort_note) FROM task WHERE id = '%s'"
                        .formatted(running.getFirst())))
        .isEqualTo("cancelled ann why");
    assertThat(progress(id)).isEqualTo("DONE 8 8 0 {}");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', to_state, reason, actor) FROM history WHERE task_id = '%s'"
                        .formatted(wanted.getFirst())))
        .isEqualTo("CANCELLED cancelled: why ann");
    assertThat(store.rows().hinted()).contains("triggersChanged", "mailbox " + StoreFixture.WORKER);
  }

  @Test
  void task_that_was_created_at_an_earlier_id_after_the_request_stays() {
    var id = start(BulkKind.CANCEL, filter("SCHEDULED"));
    var skewed = tasks(1, TaskState.SCHEDULED);
    store.rows().run("UPDATE bulk_operation SET up_to = 'ffffffff-ffff-ffff-ffff-ffffffffffff'");
    finish(phase());
    assertThat(states(skewed)).isEqualTo("SCHEDULED");
    assertThat(progress(id)).isEqualTo("DONE 0 0 0 {}");
  }

  @Test
  void every_part_of_the_filter_narrows_it() {
    var match = tasks(1, TaskState.FAILED).getFirst();
    store
        .rows()
        .run(
            "UPDATE task SET name = 'load', pool = 'gpu', created_at = created_at - interval '1 h', ended_at = ended_at - interval '1 h' WHERE id = '%s'"
                .formatted(match),
            "UPDATE task_payload SET labels = '{\"team\": \"data\", \"x\": \"y\"}' WHERE task_id = '%s'"
                .formatted(match));
    var now = Instant.now();
    var all =
        new BulkFilter(
            "default",
            new TreeSet<>(List.of("FAILED")),
            null,
            null,
            "gpu",
            "load",
            Map.of("team", "data"),
            now.minus(Duration.ofHours(2)),
            now.minus(Duration.ofMinutes(30)));
    var others =
        List.of(
            new BulkFilter("other", all.states(), null, null, null, null, Map.of(), null, null),
            new BulkFilter("default", all.states(), "etl", null, null, null, Map.of(), null, null),
            new BulkFilter(
                "default", all.states(), null, UUID.randomUUID(), null, null, Map.of(), null, null),
            new BulkFilter(
                "default", all.states(), null, null, "default", null, Map.of(), null, null),
            new BulkFilter("default", all.states(), null, null, null, "save", Map.of(), null, null),
            new BulkFilter(
                "default", all.states(), null, null, null, null, Map.of("team", "x"), null, null),
            new BulkFilter("default", all.states(), null, null, null, null, Map.of(), now, null),
            new BulkFilter(
                "default",
                all.states(),
                null,
                null,
                null,
                null,
                Map.of(),
                null,
                now.minus(Duration.ofHours(2))));
    for (BulkFilter other : others) {
      assertThat(intake.preview(BulkKind.RETRY.target(), other, now).matches()).isZero();
    }
    var preview = intake.preview(BulkKind.RETRY.target(), all, now);
    assertThat(preview.matches()).isEqualTo(1);
    assertThat(preview.counted()).isTrue();
    assertThat(preview.sample()).contains(match.toString(), "load", "FAILED");
    start(BulkKind.RETRY, all);
    finish(phase());
    assertThat(states(List.of(match))).isEqualTo("PENDING");
  }

  @Test
  void task_that_failed_again_after_the_request_is_not_retried_again() {
    var failed = tasks(3, TaskState.FAILED);
    var id = start(BulkKind.RETRY, filter("FAILED"));
    finish(phase());
    assertThat(states(failed)).isEqualTo("PENDING PENDING PENDING");
    assertThat(progress(id)).isEqualTo("DONE 3 3 0 {}");
    var second = start(BulkKind.RETRY, filter("FAILED"));
    store.rows().run("UPDATE task SET state = 'FAILED', ended_at = belay_now(), not_before = NULL");
    finish(phase());
    assertThat(states(failed)).isEqualTo("FAILED FAILED FAILED");
    assertThat(progress(second)).isEqualTo("DONE 0 0 0 {}");
  }

  @Test
  void next_leader_continues_where_the_last_one_stopped() {
    var failed = tasks(7, TaskState.FAILED);
    var id = start(BulkKind.RETRY, filter("FAILED"));
    phase().runOnce();
    assertThat(progress(id)).isEqualTo("RUNNING 3 3 0 {}");
    finish(phase());
    assertThat(progress(id)).isEqualTo("DONE 7 7 0 {}");
    assertThat(store.rows().text("SELECT string_agg(DISTINCT generation::text, ' ') FROM task"))
        .isEqualTo("2");
    assertThat(failed).hasSize(7);
  }

  @Test
  void of_two_leaders_at_one_place_only_one_changes_a_task() {
    var failed = tasks(3, TaskState.FAILED);
    var id = start(BulkKind.RETRY, filter("FAILED"));
    try (var race =
        new Race(
            store.rows(),
            "SELECT 1 FROM task WHERE id = '%s' FOR UPDATE".formatted(failed.getFirst()))) {
      var one = race.next(() -> phase().runOnce());
      var other = race.next(() -> phase().runOnce());
      race.release();
      result(one);
      result(other);
    }
    assertThat(progress(id)).isEqualTo("RUNNING 3 3 0 {}");
    assertThat(store.rows().text("SELECT DISTINCT generation FROM task")).isEqualTo("2");
  }

  @Test
  void nothing_changes_after_the_answer_to_a_cancel() {
    var waiting = tasks(6, TaskState.SCHEDULED);
    var id = start(BulkKind.CANCEL, filter("SCHEDULED"));
    var phase = phase();
    try (var race =
        new Race(
            store.rows(),
            "SELECT 1 FROM task WHERE id = '%s' FOR UPDATE".formatted(waiting.getFirst()))) {
      var batch = race.next(phase::runOnce);
      var cancel = race.next(() -> steering.cancel(id, "bob"));
      race.release();
      result(batch);
      assertThat(result(cancel)).isEqualTo(new BulkSteer.Cancelled());
    }
    assertThat(progress(id)).isEqualTo("CANCELLED 3 3 0 {}");
    finish(phase);
    assertThat(states(waiting))
        .isEqualTo("CANCELLED CANCELLED CANCELLED SCHEDULED SCHEDULED SCHEDULED");
    assertThat(bulk(id, "reason")).isEqualTo("cancelled by bob");
    assertThat(steering.cancel(id, "bob")).isEqualTo(new BulkSteer.Cancelled());
    assertThat(steering.cancel(new BulkId(UUID.randomUUID()), "bob"))
        .isEqualTo(new BulkSteer.NotFound());
  }

  @Test
  void task_whose_state_changes_before_its_lock_is_refused() {
    var waiting = tasks(2, TaskState.SCHEDULED);
    var id = start(BulkKind.CANCEL, filter("SCHEDULED"));
    try (var race =
        new Race(
            store.rows(),
            "UPDATE task SET state = 'BLOCKED' WHERE id = '%s'".formatted(waiting.getLast()))) {
      var batch = race.next(() -> phase().runOnce());
      race.release();
      result(batch);
    }
    assertThat(states(waiting)).isEqualTo("CANCELLED BLOCKED");
    assertThat(progress(id)).isEqualTo("RUNNING 2 1 1 {\"no_longer_matches\": 1}");
    assertThat(bulk(id, "refusals -> 0 ->> 'id'")).isEqualTo(waiting.getLast().toString());
  }

  @Test
  void item_that_cannot_change_never_stops_the_rest() {
    var waiting = tasks(7, TaskState.SCHEDULED);
    store
        .rows()
        .run(
            """
            CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
            CREATE TRIGGER broken BEFORE UPDATE ON task FOR EACH ROW WHEN (OLD.id = '%s') EXECUTE FUNCTION broken()
            """
                .formatted(waiting.get(1)));
    try {
      var id = start(BulkKind.CANCEL, filter("SCHEDULED"));
      var phase = phase();
      for (int i = 0; i < 20; i++) {
        phase.runOnce();
      }
      assertThat(progress(id)).isEqualTo("DONE 7 6 1 {\"error\": 1}");
      assertThat(bulk(id, "refusals -> 0 ->> 'id'")).isEqualTo(waiting.get(1).toString());
      assertThat(states(waiting))
          .isEqualTo("CANCELLED SCHEDULED CANCELLED CANCELLED CANCELLED CANCELLED CANCELLED");
    } finally {
      store.rows().run("DROP TRIGGER broken ON task", "DROP FUNCTION broken()");
    }
  }

  @Test
  void operation_that_cannot_be_read_fails_with_an_alert_and_others_go_on() {
    var waiting = tasks(1, TaskState.SCHEDULED);
    var strange = start(BulkKind.CANCEL, filter("SCHEDULED"));
    store.rows().run("UPDATE bulk_operation SET kind = 'explode'");
    var good = start(BulkKind.PRIORITY, filter("SCHEDULED"));
    finish(phase());
    assertThat(progress(strange)).isEqualTo("FAILED 0 0 0 {}");
    assertThat(store.rows().text("SELECT kind FROM alert")).isEqualTo("bulk_failed");
    assertThat(progress(good)).isEqualTo("DONE 1 1 0 {}");
    assertThat(states(waiting)).isEqualTo("SCHEDULED");
    assertThat(store.rows().text("SELECT priority FROM task")).isEqualTo("80");
  }

  @Test
  void rate_makes_an_operation_wait_and_others_do_not() {
    tasks(4, TaskState.SCHEDULED);
    var slow = start(BulkKind.PRIORITY, filter("SCHEDULED"), 2.0);
    var phase = phase();
    phase.runOnce();
    assertThat(progress(slow)).isEqualTo("RUNNING 1 1 0 {}");
    var wait = phase.runOnce();
    assertThat(wait).isPositive().isLessThanOrEqualTo(Duration.ofMillis(500));
    assertThat(progress(slow)).isEqualTo("RUNNING 1 1 0 {}");
    var fast = start(BulkKind.CANCEL, filter("SCHEDULED"));
    phase.runOnce();
    assertThat(bulk(fast, "changed")).isEqualTo("3");
  }

  @Test
  void large_part_without_a_match_is_passed_piece_by_piece() {
    tasks(25, TaskState.FAILED);
    var match = tasks(1, TaskState.FAILED).getFirst();
    store.rows().run("UPDATE task SET name = 'it' WHERE id = '%s'".formatted(match));
    var filter = narrow(null, "it", "FAILED");
    var id = start(BulkKind.RETRY, filter);
    var phase = phase(3, 10);
    phase.runOnce();
    assertThat(bulk(id, "cursor IS NOT NULL AND matched = 0")).isEqualTo("t");
    finish(phase);
    assertThat(progress(id)).isEqualTo("DONE 1 1 0 {}");
    assertThat(states(List.of(match))).isEqualTo("PENDING");
  }

  @Test
  void failed_tasks_of_runs_are_retried_with_those_after_them() {
    planning.register(
        """
        name: w
        tasks:
          - {name: a, command: [x]}
          - {name: b, command: [x]}
          - {name: c, command: [x], depends_on: [a]}
        """);
    RunId run = planning.trigger("w", 1).getFirst();
    planning.plan();
    store
        .rows()
        .run(
            "UPDATE task SET state = 'FAILED', ended_at = belay_now(), not_before = NULL WHERE name"
                + " IN ('a', 'b')",
            "UPDATE task SET state = 'UPSTREAM_FAILED', ended_at = belay_now() WHERE name = 'c'",
            "UPDATE run SET state = 'FAILED', ended_at = belay_now()");
    var filter = narrow("w", null, "FAILED");
    var id = start(BulkKind.RETRY, filter);
    finish(phase());
    assertThat(progress(id)).isEqualTo("DONE 2 2 0 {}");
    assertThat(
            store
                .rows()
                .text("SELECT string_agg(name || ' ' || state, ' ' ORDER BY name) FROM task"))
        .isEqualTo("a WAITING b WAITING c WAITING");
    assertThat(planning.state(run)).isEqualTo("QUEUED");
  }

  @Test
  void runs_are_cancelled_and_retried() {
    planning.register("{name: w, tasks: [{name: a, command: [x]}]}");
    var runs = planning.trigger("w", 3);
    planning.plan();
    var filter = narrow("w", null, "QUEUED", "RUNNING");
    var cancel = start(BulkKind.CANCEL_RUNS, filter);
    finish(phase());
    assertThat(progress(cancel)).isEqualTo("DONE 3 3 0 {}");
    planning.plan();
    assertThat(planning.state(runs.getLast())).isEqualTo("CANCELLED cancelled");
    var retry = start(BulkKind.RETRY_RUNS, filter("CANCELLED"));
    finish(phase());
    assertThat(progress(retry)).isEqualTo("DONE 3 3 0 {}");
    assertThat(planning.state(runs.getFirst())).isEqualTo("QUEUED");
  }

  @Test
  void same_key_starts_one_operation_and_too_many_are_refused() {
    var key = new IdempotencyKey("default", "k", "00");
    var one = cancel();
    var again = cancel();
    assertThat(intake.start(one, key, "ann", 1))
        .isEqualTo(new BulkIntake.Started.Accepted(one.id().value()));
    assertThat(intake.start(again, key, "ann", 1))
        .isEqualTo(new BulkIntake.Started.Accepted(one.id().value()));
    assertThat(intake.start(again, null, "ann", 1)).isEqualTo(new BulkIntake.Started.TooMany());
    assertThat(intake.earlier(new IdempotencyKey("default", "k", "01")))
        .contains(new BulkIntake.Started.KeyConflict("k"));
  }

  private NewBulk cancel() {
    var id = new BulkId(store.ids().next());
    return new NewBulk(id, BulkKind.CANCEL, filter("SCHEDULED"), null, "", null, "{}");
  }

  @ParameterizedTest
  @EnumSource(
      value = BulkKind.class,
      names = {"CANCEL", "RETRY"})
  void each_state_is_looked_for_through_its_index(BulkKind kind) {
    store
        .rows()
        .run(
            """
            INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at, ended_at)
            SELECT md5('t' || n)::uuid, 'default', 't', 'SUCCEEDED', 50, 'default', 'x', belay_now(), belay_now(), belay_now()
            FROM generate_series(1, 20000) AS n
            """,
            "ANALYZE task");
    for (String state : kind.states()) {
      String part = TaskState.valueOf(state).isActive() ? "active" : state;
      String sql =
          Sql.named("bulk/look_tasks", Set.of(part))
              .replaceAll(":(after|up_to)", "'" + StoreFixture.WORKER + "'")
              .replace(":max", "2000")
              .replace(":tenant", "'default'")
              .replace(":states", "'{" + state + "}'")
              .replace(":requested_at", "now()");
      assertThat(store.rows().text("EXPLAIN " + sql))
          .as(state)
          .doesNotContain("Seq Scan on task", "task_pkey on task  (");
    }
  }
}
