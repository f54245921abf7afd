package dev.belay.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.store.Sql;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.read.Page.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadsTest {

  private final StoreFixture store = new StoreFixture();
  private final Reads reads = new Reads(store.jdbi());

  @BeforeAll
  void worker() {
    store.worker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void filters_are_combined() {
    var run = store.openRun();
    var running = store.task(TaskState.RUNNING, run);
    store.task(TaskState.WAITING, run);
    store.task(TaskState.RUNNING, null);
    assertThat(ids(filter(Set.of(TaskState.RUNNING), run, null))).containsExactly(running);
    assertThat(ids(filter(Set.of(), run, StoreFixture.WORKER))).containsExactly(running);
    assertThat(ids(filter(Set.of(TaskState.RUNNING, TaskState.WAITING), run, null))).hasSize(2);
    assertThat(
            reads
                .tasks(
                    new TaskFilter("nobody", Set.of(), null, null, null, null, null),
                    new Window(null, 10))
                .items())
        .isEmpty();
    assertThat(reads.taskCounts(run))
        .isEqualTo(Map.of(TaskState.RUNNING, 1L, TaskState.WAITING, 1L));
  }

  @Test
  void task_that_has_not_become_ready_is_there_without_work() {
    var task = store.task(TaskState.WAITING, store.openRun());
    store.run("DELETE FROM task_payload WHERE task_id = '" + task + "'");
    var detail = reads.task(task).orElseThrow();
    assertThat(detail.task().state()).isEqualTo(TaskState.WAITING);
    assertThat(detail.work()).isEqualTo(new Json("null"));
    assertThat(detail.labels()).isEqualTo(new Json("{}"));
  }

  @Test
  void changed_after_is_exact() {
    var run = store.openRun();
    var task = store.task(TaskState.PENDING, run);
    var since = reads.task(task).orElseThrow().task().stateSince();
    assertThat(changedAfter(run, since)).isEmpty();
    assertThat(changedAfter(run, since.minusNanos(1_000))).hasSize(1);
  }

  @Test
  void tries_fencing_and_deadline_of_a_task_are_shown() {
    var run = store.openRun();
    var task = store.task(TaskState.PENDING, run);
    store.run(
        "UPDATE task SET error_count = 1, lost_count = 2, crash_count = 3, unavailable_count = 4,"
            + " strict = true, deadline_at = 'epoch' WHERE id = '%s'".formatted(task));
    var shown = reads.task(task).orElseThrow().task();
    assertThat(
            List.of(
                shown.errorCount(),
                shown.lostCount(),
                shown.crashCount(),
                shown.unavailableCount()))
        .containsExactly(1, 2, 3, 4);
    assertThat(shown.strict()).isTrue();
    assertThat(shown.deadlineAt()).isEqualTo(Instant.EPOCH);
    assertThat(reads.tasks(filter(Set.of(), run, null), new Window(null, 10)).items())
        .containsExactly(shown);
  }

  @Test
  void pages_show_every_row_once_while_rows_are_inserted() {
    var run = store.openRun();
    var expected = new HashSet<UUID>();
    for (int i = 0; i < 23; i++) {
      expected.add(store.task(TaskState.PENDING, run));
    }
    var seen = new ArrayList<UUID>();
    @Nullable UUID cursor = null;
    do {
      var page = reads.tasks(filter(Set.of(), run, null), new Window(cursor, 5));
      page.items().forEach(task -> seen.add(task.id()));
      cursor = page.next();
      store.task(TaskState.PENDING, run);
    } while (cursor != null);
    assertThat(seen).doesNotHaveDuplicates().containsAll(expected).hasSize(23);
    assertThat(seen).isSortedAccordingTo((a, b) -> b.toString().compareTo(a.toString()));
  }

  @Test
  void attempts_are_found_through_the_history() {
    var task = store.task(TaskState.RUNNING, null);
    store.attempt(task, store.ids().next(), 2);
    assertThat(reads.attempts(task).stream().map(Attempt::number)).containsExactly(1, 2);
    assertThat(reads.attempts(task).getFirst().workerName()).isEqualTo("one");
    assertThat(reads.history(task)).hasSize(3);
  }

  @Test
  void a_worker_shows_how_much_it_holds() {
    var before = reads.workers(new Window(null, 10)).items().getFirst().active();
    store.task(TaskState.DISPATCHED, null);
    store.task(TaskState.SUCCEEDED, null);
    var worker = reads.workers(new Window(null, 10)).items().getFirst();
    assertThat(worker.active()).isEqualTo(before + 1);
    assertThat(worker.pools()).containsExactly("default");
  }

  @Test
  void lists_are_read_from_indexes() {
    store.run(
        """
        INSERT INTO task (id, tenant, run_id, name, state, priority, pool, reason, state_since, created_at, ended_at)
        SELECT gen_random_uuid(), 'default', CASE WHEN n % 2 = 0 THEN md5((n / 100)::text)::uuid END, 'n' || n,
               'SUCCEEDED', 50, 'default', 'test', belay_now(), belay_now(), belay_now()
        FROM generate_series(1, 20000) AS n\
        """);
    store.run("ANALYZE task");
    assertThat(plan(Set.of()))
        .contains("Index Scan Backward using task_pkey")
        .doesNotContain("Sort");
    assertThat(plan(Set.of("run"))).contains("task_of_run");
    assertThat(plan(Set.of("worker", "active_states"))).contains("task_active");
    assertThat(plan(Set.of("states")))
        .contains("Index Scan Backward using task_pkey")
        .doesNotContain("Sort");
    assertThat(plan(Set.of("indexed_state"))).contains("task_unusual");
  }

  @Test
  void filter_without_an_index_looks_at_a_bounded_number_of_tasks() {
    var bounded = new Reads(store.jdbi(), 3);
    var rare = new TaskFilter("default", Set.of(), null, null, "rare", null, null);
    var old = store.task(TaskState.PENDING, null);
    store.run("UPDATE task SET pool = 'rare' WHERE id = '%s' AND state = 'PENDING'".formatted(old));
    for (int i = 0; i < 5; i++) {
      store.task(TaskState.PENDING, null);
    }
    var first = bounded.tasks(rare, new Window(null, 10));
    assertThat(first.items()).isEmpty();
    assertThat(first.next()).isNotNull();
    var second = bounded.tasks(rare, new Window(first.next(), 10));
    assertThat(second.items()).extracting(Task::id).containsExactly(old);

    var failed = store.task(TaskState.FAILED, null);
    for (int i = 0; i < 5; i++) {
      store.task(TaskState.PENDING, null);
    }
    assertThat(bounded.tasks(filter(Set.of(TaskState.FAILED), null, null), new Window(null, 6)))
        .as("an index leads to one unusual state")
        .satisfies(page -> assertThat(page.items()).extracting(Task::id).containsExactly(failed));
  }

  @Test
  void tenant_without_tasks_looks_at_a_bounded_number_of_tasks_of_others() {
    var bounded = new Reads(store.jdbi(), 3);
    for (int i = 0; i < 5; i++) {
      store.task(TaskState.SUCCEEDED, null);
    }
    var nobody = new TaskFilter("nobody", Set.of(), null, null, null, null, null);
    var page = bounded.tasks(nobody, new Window(null, 10));
    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isNotNull();
  }

  @Test
  void rare_state_of_runs_looks_at_a_bounded_number_of_runs() {
    var bounded = new Reads(store.jdbi(), 3);
    for (int i = 0; i < 5; i++) {
      store.openRun();
    }
    var cancelled = new RunFilter("default", Set.of(RunState.CANCELLED), null);
    var page = bounded.runs(cancelled, new Window(null, 10));
    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isNotNull();
    assertThat(
            bounded
                .runs(new RunFilter("default", Set.of(RunState.RUNNING), null), new Window(null, 2))
                .items())
        .hasSize(2);
  }

  /** As a client binds it: a state that was cast from text would serve no partial index. */
  @Test
  void a_list_of_one_state_reads_the_index_of_that_state() {
    store.run(
        """
        INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at, ended_at)
        SELECT gen_random_uuid(), 'default', 'n' || n, 'SUCCEEDED', 50, 'default', 'test', belay_now(), belay_now(),
               belay_now()
        FROM generate_series(1, 20000) AS n\
        """);
    store.run("ANALYZE task");
    long before = scans();
    reads.tasks(filter(Set.of(TaskState.TIMEOUT), null, null), new Window(null, 10));
    reads.tasks(
        filter(Set.of(TaskState.DISPATCHED, TaskState.RUNNING), null, null), new Window(null, 10));
    Awaitility.await().until(() -> scans() >= before + 2);
  }

  private long scans() {
    return Long.parseLong(
        store.text(
            "SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelname IN ('task_unusual',"
                + " 'task_active')"));
  }

  private String plan(Set<String> given) {
    var sql =
        Sql.named("read/list_tasks", given)
            .replace(":tenant", "'default'")
            .replace(":run", "md5('7')::uuid")
            .replace(":worker", "'" + StoreFixture.WORKER + "'")
            .replace(":active_states", "'{DISPATCHED,RUNNING}'")
            .replace(":states", "'{SUCCEEDED,FAILED}'")
            .replace(":indexed_state", "'FAILED'")
            .replace(":scan", "20000")
            .replace(":limit", "51");
    return store.text("EXPLAIN " + sql);
  }

  private List<UUID> ids(TaskFilter filter) {
    return reads.tasks(filter, new Window(null, 100)).items().stream().map(Task::id).toList();
  }

  private List<Task> changedAfter(UUID run, Instant time) {
    return reads
        .tasks(
            new TaskFilter("default", Set.of(), run, null, null, null, time), new Window(null, 10))
        .items();
  }

  private static TaskFilter filter(
      Set<TaskState> states, @Nullable UUID run, @Nullable UUID worker) {
    return new TaskFilter("default", states, run, null, null, worker, null);
  }

  private void letters(int count) {
    store.run(
        "DELETE FROM dead_letter",
        """
        INSERT INTO dead_letter (id, task_id, generation, tenant, topic, name, reason, detail, cause, fingerprint, request,
                                 attempts, created_at, retried_as, retried_at, retried_by)
        SELECT CAST(lpad(to_hex(n), 32, '0') AS uuid), gen_random_uuid(), 1, 'default',
               CASE WHEN n = 1 THEN 'rare' ELSE 'etl' END, 't',
               CASE WHEN n %% 2 = 0 THEN 'failed' ELSE 'no_workers' END, 'd', 'c', 'f' || n %% 3, '{}', 1, belay_now(),
               CASE WHEN n > 3 THEN gen_random_uuid() END, CASE WHEN n > 3 THEN belay_now() END, CASE WHEN n > 3 THEN 'me' END
        FROM generate_series(1, %d) AS n\
        """
            .formatted(count));
  }

  @Test
  void lists_groups_and_gauges_of_dead_letters_look_at_a_bounded_number() {
    letters(10);
    var bounded = new Reads(store.jdbi(), 4);
    var rare = new DeadLetter.Filter("default", null, "rare", null, null, null, null);
    var page = bounded.deadLetters(rare, new Window(null, 5));
    assertThat(page.items()).isEmpty();
    int pages = 1;
    while (page.items().isEmpty()) {
      page = bounded.deadLetters(rare, new Window(Objects.requireNonNull(page.next()), 5));
      pages++;
    }
    assertThat(pages).isEqualTo(3);
    assertThat(page.items()).hasSize(1);
    assertThat(page.next()).isNull();
    var any = new DeadLetter.Filter("default", null, null, null, null, null, null);
    assertThat(bounded.deadLetterGroups(any, 10).stream().mapToLong(DeadLetter.Group::count).sum())
        .isEqualTo(4);
    assertThat(reads.deadLetterGroups(any, 10).stream().mapToLong(DeadLetter.Group::count).sum())
        .isEqualTo(10);
    assertThat(reads.openDeadLetters(10)).isEqualTo(Map.of("failed", 1L, "no_workers", 2L));
    assertThat(reads.openDeadLetters(1)).isEqualTo(Map.of("failed", 1L, "no_workers", 1L));
    var open = new DeadLetter.Filter("default", null, null, null, null, null, true);
    assertThat(bounded.deadLetters(open, new Window(null, 5)).items()).hasSize(3);
    var retried = new DeadLetter.Filter("default", null, null, null, null, null, false);
    assertThat(reads.deadLetters(retried, new Window(null, 10)).items()).hasSize(7);
  }

  @Test
  void dead_letters_are_found_by_an_index() {
    letters(20_000);
    store.run("ANALYZE dead_letter");
    for (String flag : List.of("reason", "fingerprint", "unretried", "cursor")) {
      String sql =
          Sql.named("deadletter/list_letters", Set.of(flag))
              .replace(":tenant", "'default'")
              .replace(":reason", "'failed'")
              .replace(":fingerprint", "'f1'")
              .replace(":cursor", "'00000000-0000-0000-0000-00000000ffff'")
              .replace(":scan", "100")
              .replace(":limit", "51");
      assertThat(plan(sql)).as(flag).contains("Index").doesNotContain("Sort", "Seq Scan");
    }
    assertThat(plan(Sql.named("deadletter/count_open").replace(":max", "100")))
        .contains("dead_letter_open")
        .doesNotContain("Seq Scan");
  }

  private String plan(String sql) {
    return store
        .jdbi()
        .withHandle(
            handle ->
                String.join("\n", handle.createQuery("EXPLAIN " + sql).mapTo(String.class).list()));
  }
}
