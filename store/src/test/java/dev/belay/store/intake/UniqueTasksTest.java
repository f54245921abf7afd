package dev.belay.store.intake;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.Unique;
import dev.belay.domain.spec.Unique.OnConflict;
import dev.belay.domain.spec.Unique.Scope;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.Sql;
import dev.belay.store.fixture.Race;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.queue.PostgresQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unique keys of submits, and their races. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UniqueTasksTest {

  private static final String CLAIMED =
      """
      UPDATE task SET state = '%s', dispatch_id = gen_random_uuid(), worker_id = '%s', session_id = '%s', epoch = 1, fencing_token = 1,
        dispatched_at = belay_now(), started_at = CASE WHEN '%s' = 'RUNNING' THEN belay_now() END
      WHERE id = '%s'\
      """;
  private static final String ENDED =
      "UPDATE task SET state = 'FAILED', reason = 'x', ended_at = belay_now() WHERE id = '%s'";

  private final StoreFixture store = new StoreFixture();
  private final TaskIntake intake =
      new TaskIntake(
          store.jdbi(),
          store.ids(),
          store.hints(),
          new QueueCatalog(new PostgresQueues(store.jdbi()), System::nanoTime),
          Meters.NONE);

  @BeforeEach
  void clear() {
    store.clear();
    store.worker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  private static NewTask task(@Nullable Unique unique) {
    return new NewTask("default", "t", 50, "default", "{}", "{}", false, null).with(unique);
  }

  private static Unique unique(String key, Scope scope, OnConflict onConflict) {
    return new Unique(key, scope, scope == Scope.FOR ? Duration.ofHours(1) : null, onConflict);
  }

  private Submission submit(Scope scope, OnConflict onConflict) {
    return submit(List.of(task(unique("k", scope, onConflict))));
  }

  private Submission submit(List<NewTask> tasks) {
    return intake.submit(tasks.stream().map(task -> new Batch(null, List.of(task))).toList(), "me");
  }

  private UUID stored(Submission submission) {
    assertThat(submission).isInstanceOf(Submission.Accepted.class);
    var accepted = (Submission.Accepted) submission;
    assertThat(accepted.existing()).isEmpty();
    return accepted.ids().getFirst();
  }

  private void claimed(UUID task, TaskState state) {
    store.run(CLAIMED.formatted(state, StoreFixture.WORKER, StoreFixture.SESSION, state, task));
  }

  private String shown(UUID id) {
    return store.text(
        "SELECT concat_ws(' ', state, abort_reason) FROM task WHERE id = '%s'".formatted(id));
  }

  private String holder() {
    return store.text("SELECT task_id FROM unique_task WHERE key = 'k'");
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void second_task_is_rejected_and_the_first_one_named(Scope scope) {
    var first = stored(submit(scope, OnConflict.REJECT));
    assertThat(submit(scope, OnConflict.REJECT))
        .isEqualTo(
            new Submission.UniqueConflict(
                List.of(new Submission.Held("k", first, TaskState.SCHEDULED))));
    assertThat(store.count("task")).isEqualTo(1);
    stored(
        submit(
            List.of(
                new NewTask("other", "t", 50, "default", "{}", "{}", false, null)
                    .with(unique("k", scope, OnConflict.REJECT)))));
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void second_task_is_answered_with_the_first_one(Scope scope) {
    var first = stored(submit(scope, OnConflict.REJECT));
    var again = (Submission.Accepted) submit(scope, OnConflict.EXISTING);
    assertThat(again.ids()).containsExactly(first);
    assertThat(again.existing()).containsEntry(first, TaskState.SCHEDULED);
    assertThat(store.count("task")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void second_task_takes_the_place_of_a_queued_one(Scope scope) {
    var first = stored(submit(scope, OnConflict.REJECT));
    var second = stored(submit(scope, OnConflict.REPLACE));
    assertThat(shown(first)).isEqualTo("CANCELLED");
    assertThat(shown(second)).isEqualTo("SCHEDULED");
    assertThat(
            store.text(
                "SELECT concat_ws(' ', reason, actor) FROM history WHERE task_id = '%s' AND to_state = 'CANCELLED'"
                    .formatted(first)))
        .isEqualTo("cancelled: replaced by " + second + " me");
    assertThat(holder()).isEqualTo(second.toString());
  }

  @Test
  void queues_of_stored_tasks_are_hinted_and_no_others() {
    stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    var queue = store.text("SELECT queue_id FROM task");
    assertThat(store.hinted()).containsExactly("workReady [" + queue + "]");
    submit(Scope.UNFINISHED, OnConflict.EXISTING);
    submit(Scope.UNFINISHED, OnConflict.REJECT);
    assertThat(store.hinted()).hasSize(1);
    submit(Scope.UNFINISHED, OnConflict.REPLACE);
    assertThat(store.hinted()).hasSize(2);
    assertThat(store.count("task WHERE queue_id IS NULL")).isZero();
  }

  @Test
  void key_of_a_queued_task_is_free_once_a_worker_gets_it() {
    var first = stored(submit(Scope.QUEUED, OnConflict.REJECT));
    claimed(first, TaskState.DISPATCHED);
    var second = stored(submit(Scope.QUEUED, OnConflict.REJECT));
    assertThat(holder()).isEqualTo(second.toString());
    assertThat(shown(first)).isEqualTo("DISPATCHED");
  }

  @Test
  void key_of_an_unfinished_task_is_free_once_it_has_ended() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    claimed(first, TaskState.RUNNING);
    assertThat(submit(Scope.UNFINISHED, OnConflict.REJECT))
        .isInstanceOf(Submission.UniqueConflict.class);
    store.run(ENDED.formatted(first));
    stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
  }

  @Test
  void unfinished_task_that_runs_is_asked_to_end_when_it_is_replaced() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    claimed(first, TaskState.RUNNING);
    var second = stored(submit(Scope.UNFINISHED, OnConflict.REPLACE));
    assertThat(shown(first)).isEqualTo("RUNNING cancelled");
    assertThat(shown(second)).isEqualTo("SCHEDULED");
    assertThat(holder()).isEqualTo(second.toString());
    assertThat(store.hinted()).contains("mailbox " + StoreFixture.WORKER);
  }

  @Test
  void key_held_for_a_time_is_free_after_it_and_not_before() {
    var first = stored(submit(Scope.FOR, OnConflict.REJECT));
    store.run(ENDED.formatted(first));
    assertThat(((Submission.Accepted) submit(Scope.FOR, OnConflict.EXISTING)).ids())
        .containsExactly(first);
    var second = stored(submit(Scope.FOR, OnConflict.REPLACE));
    assertThat(shown(first)).as("it had ended").isEqualTo("FAILED");
    store.run("UPDATE unique_task SET until_at = belay_now() - interval '1 second'");
    var third = stored(submit(Scope.FOR, OnConflict.REJECT));
    assertThat(shown(second)).isEqualTo("SCHEDULED");
    assertThat(holder()).isEqualTo(third.toString());
    store.run("UPDATE unique_task SET until_at = belay_now() - interval '1 second'");
    store.jdbi().useHandle(handle -> TaskIntake.forgetUniques(handle, 10));
    assertThat(store.count("unique_task")).isZero();
  }

  @Test
  void of_parallel_submits_one_is_stored_and_all_get_its_id() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 10; round++) {
        var unique = unique("round-" + round, Scope.UNFINISHED, OnConflict.EXISTING);
        var all = new ArrayList<Callable<Submission>>();
        for (int i = 0; i < 8; i++) {
          all.add(() -> submit(List.of(task(unique))));
        }
        var ids = new ArrayList<UUID>();
        for (var done : threads.invokeAll(all)) {
          ids.addAll(((Submission.Accepted) done.get()).ids());
        }
        assertThat(ids).hasSize(8).containsOnly(ids.getFirst());
        assertThat(store.count("task")).isEqualTo(round + 1L);
      }
    }
  }

  @Test
  void parallel_replaces_leave_one_open_task() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      var all = new ArrayList<Callable<Submission>>();
      for (int i = 0; i < 24; i++) {
        all.add(() -> submit(Scope.UNFINISHED, OnConflict.REPLACE));
      }
      for (var done : threads.invokeAll(all)) {
        stored(done.get());
      }
    }
    assertThat(store.count("task")).isEqualTo(24);
    assertThat(store.text("SELECT id FROM task WHERE ended_at IS NULL")).isEqualTo(holder());
  }

  @Test
  void submits_with_keys_in_opposite_orders_do_not_meet() throws Exception {
    var a = task(unique("a", Scope.UNFINISHED, OnConflict.REPLACE));
    var b = task(unique("b", Scope.UNFINISHED, OnConflict.REPLACE));
    try (var threads = Executors.newFixedThreadPool(4)) {
      var all = new ArrayList<Callable<Submission>>();
      for (int i = 0; i < 20; i++) {
        var tasks = i % 2 == 0 ? List.of(a, b) : List.of(b, a);
        all.add(() -> submit(tasks));
      }
      for (var done : threads.invokeAll(all)) {
        assertThat(done.get()).isInstanceOf(Submission.Accepted.class);
      }
    }
    assertThat(store.count("task WHERE ended_at IS NULL")).isEqualTo(2);
  }

  @Test
  void task_that_a_worker_gets_before_it_is_replaced_continues() {
    var first = stored(submit(Scope.QUEUED, OnConflict.REJECT));
    try (var race =
        new Race(
            store,
            CLAIMED.formatted(
                "DISPATCHED", StoreFixture.WORKER, StoreFixture.SESSION, "DISPATCHED", first))) {
      var replace = race.next(() -> submit(Scope.QUEUED, OnConflict.REPLACE));
      race.release();
      var second = stored(result(replace));
      assertThat(shown(first)).isEqualTo("DISPATCHED");
      assertThat(shown(second)).isEqualTo("SCHEDULED");
    }
  }

  @Test
  void unfinished_task_that_a_worker_gets_before_it_is_replaced_is_asked_to_end() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    try (var race =
        new Race(
            store,
            CLAIMED.formatted(
                "DISPATCHED", StoreFixture.WORKER, StoreFixture.SESSION, "DISPATCHED", first))) {
      var replace = race.next(() -> submit(Scope.UNFINISHED, OnConflict.REPLACE));
      race.release();
      stored(result(replace));
      assertThat(shown(first)).isEqualTo("DISPATCHED cancelled");
    }
  }

  @Test
  void claim_that_comes_after_the_replacement_finds_a_cancelled_task() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    try (var race =
        new Race(store, "SELECT 1 FROM task WHERE id = '%s' FOR UPDATE".formatted(first))) {
      var replace = race.next(() -> submit(Scope.UNFINISHED, OnConflict.REPLACE));
      var claim =
          race.next(
              () -> {
                store.run(
                    CLAIMED.formatted(
                            "DISPATCHED",
                            StoreFixture.WORKER,
                            StoreFixture.SESSION,
                            "DISPATCHED",
                            first)
                        + " AND state = 'SCHEDULED'");
                return 0;
              });
      race.release();
      stored(result(replace));
      result(claim);
    }
    assertThat(shown(first)).isEqualTo("CANCELLED");
  }

  @Test
  void end_that_comes_before_the_replacement_stands() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    claimed(first, TaskState.RUNNING);
    try (var race = new Race(store, ENDED.formatted(first))) {
      var existing = (Submission.Accepted) submit(Scope.UNFINISHED, OnConflict.EXISTING);
      assertThat(existing.existing()).as("before the commit").containsKey(first);
      var replace = race.next(() -> submit(Scope.UNFINISHED, OnConflict.REPLACE));
      race.release();
      stored(result(replace));
    }
    assertThat(shown(first)).isEqualTo("FAILED");
  }

  @Test
  void submit_that_waits_for_another_finds_its_task_or_takes_the_key_when_that_fails() {
    var holder = UUID.randomUUID();
    try (var race =
        new Race(
            store,
            "INSERT INTO unique_task (tenant, key, task_id, scope, until_at) VALUES ('default', 'k', '%s', 'for', belay_now() + interval '1 h')"
                .formatted(holder))) {
      var waiting = race.next(() -> submit(Scope.UNFINISHED, OnConflict.REJECT));
      race.release();
      assertThat(result(waiting))
          .isEqualTo(
              new Submission.UniqueConflict(List.of(new Submission.Held("k", holder, null))));
    }
  }

  @Test
  void tasks_of_one_request_obey_their_keys_in_order() {
    var reject = task(unique("k", Scope.UNFINISHED, OnConflict.REJECT));
    assertThat(submit(List.of(reject, reject))).isInstanceOf(Submission.UniqueConflict.class);
    assertThat(store.count("task")).isZero();
    assertThat(store.count("unique_task")).isZero();

    var existing = task(unique("k", Scope.UNFINISHED, OnConflict.EXISTING));
    var both = (Submission.Accepted) submit(List.of(existing, existing, task(null)));
    assertThat(both.ids()).hasSize(3);
    assertThat(both.ids().get(0)).isEqualTo(both.ids().get(1)).isNotEqualTo(both.ids().get(2));
    assertThat(store.count("task")).isEqualTo(2);

    var replace = task(unique("k", Scope.UNFINISHED, OnConflict.REPLACE));
    var last = (Submission.Accepted) submit(List.of(replace, replace));
    assertThat(shown(both.ids().getFirst())).isEqualTo("CANCELLED");
    assertThat(shown(last.ids().getFirst())).isEqualTo("CANCELLED");
    assertThat(shown(last.ids().getLast())).isEqualTo("SCHEDULED");
    assertThat(holder()).isEqualTo(last.ids().getLast().toString());
  }

  @Test
  void repeated_request_gets_the_task_that_was_there() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    var key = new IdempotencyKey("default", "i", "00");
    var batch = new Batch(key, List.of(task(unique("k", Scope.UNFINISHED, OnConflict.EXISTING))));
    assertThat(((Submission.Accepted) intake.submit(List.of(batch), "me")).ids())
        .containsExactly(first);
    store.run(ENDED.formatted(first));
    assertThat(((Submission.Accepted) intake.submit(List.of(batch), "me")).ids())
        .as("though the key is free")
        .containsExactly(first);
    assertThat(store.count("task")).isEqualTo(1);
  }

  @Test
  void task_without_a_key_writes_nothing_here() {
    stored(submit(List.of(task(null))));
    assertThat(store.count("unique_task")).isZero();
  }

  @Test
  void retention_removes_the_key_with_its_task() {
    var first = stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
    store.run(ENDED.formatted(first));
    var version =
        Long.parseLong(
            store.text("SELECT xmin::text::bigint FROM task WHERE id = '%s'".formatted(first)));
    store
        .jdbi()
        .useTransaction(
            handle ->
                handle
                    .createQuery(Sql.named("retention/delete_tasks"))
                    .bindArray("ids", UUID.class, List.of(first))
                    .bindArray("row_versions", Long.class, List.of(version))
                    .mapTo(UUID.class)
                    .list());
    assertThat(store.count("task")).isZero();
    assertThat(store.count("unique_task")).isZero();
    stored(submit(Scope.UNFINISHED, OnConflict.REJECT));
  }
}
