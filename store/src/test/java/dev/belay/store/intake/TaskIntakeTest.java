package dev.belay.store.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.queue.PostgresQueues;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskIntakeTest {

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
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_submitted_task_is_scheduled_with_payload_and_history() {
    var accepted = accept(List.of(batch(null, "a", "00")));
    var id = accepted.ids().getFirst();
    assertThat(
            store.text(
                "SELECT state || ' ' || reason || ' ' || name FROM task WHERE id = '" + id + "'"))
        .isEqualTo("SCHEDULED submitted a");
    assertThat(store.text("SELECT work->>'argv' FROM task_payload WHERE task_id = '" + id + "'"))
        .isEqualTo("[\"true\"]");
    assertThat(
            store.text(
                "SELECT coalesce(from_state::text, '-') || ' ' || to_state || ' ' || reason || ' '"
                    + " || actor FROM history WHERE task_id = '"
                    + id
                    + "'"))
        .isEqualTo("- SCHEDULED submitted me");
    assertThat(store.hinted()).containsExactly("workReady [1]");
  }

  @Test
  void a_thousand_tasks_are_stored_in_the_order_given() {
    var batches =
        IntStream.range(0, 1_000)
            .mapToObj(i -> batch(i % 2 == 0 ? null : "k" + i, "t" + i, "00"))
            .toList();
    var ids = accept(batches).ids();
    assertThat(ids).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(store.text("SELECT name FROM task WHERE id = '" + ids.get(777) + "'"))
        .isEqualTo("t777");
    assertThat(store.count("history")).isEqualTo(1_000);
    assertThat(store.count("idempotency")).isEqualTo(500);
  }

  @Test
  void strictness_and_deadline_of_each_task_are_in_its_row() {
    var tasks =
        List.of(
            task("plain"),
            new NewTask("default", "both", 50, "default", "{}", "{}", true, Duration.ofMillis(5)),
            new NewTask("default", "due", 50, "default", "{}", "{}", false, Duration.ofDays(2)));
    accept(List.of(new Batch(null, tasks)));
    assertThat(
            store.text(
                "SELECT string_agg(concat_ws(' ', name, strict, deadline_at - created_at), ', '"
                    + " ORDER BY name) FROM task"))
        .isEqualTo("both t 00:00:00.005, due f 2 days, plain f");
  }

  @Test
  void a_timed_task_waits_for_its_time_and_the_leader_hears_of_the_soonest() {
    accept(
        List.of(
            new Batch(
                null,
                List.of(
                    timed("later", DueTime.after(Duration.ofMinutes(5)), false),
                    timed("soon", DueTime.after(Duration.ofMillis(200)), false),
                    timed("wait", DueTime.after(Duration.ofSeconds(1)), true)))));
    assertThat(
            store.text(
                "SELECT string_agg(concat_ws(' ', name, state, reason, not_before - created_at),"
                    + " ', ' ORDER BY name) FROM task"))
        .isEqualTo(
            "later PENDING delayed 00:05:00, soon PENDING delayed 00:00:00.2, wait DEFERRED waiting"
                + " 00:00:01");
    assertThat(store.text("SELECT count(*) FROM history WHERE actor = 'me'")).isEqualTo("3");
    assertThat(store.hinted()).containsExactly("dueIn PT0.2S");
  }

  @Test
  void only_the_database_knows_how_far_away_a_point_in_time_is() {
    var at = DueTime.at(Instant.parse("2026-12-24T18:00:00.123456Z"));
    accept(List.of(new Batch(null, List.of(timed("at", at, false), task("now")))));
    assertThat(
            store.text(
                "SELECT state || ' ' || reason || ' ' || to_char(not_before AT TIME ZONE 'UTC',"
                    + " 'YYYY-MM-DD HH24:MI:SS.US') FROM task WHERE name = 'at'"))
        .isEqualTo("PENDING run_at 2026-12-24 18:00:00.123456");
    assertThat(store.hinted()).containsExactly("workReady [1]", "dueIn PT0S");
  }

  private static NewTask timed(String name, DueTime timer, boolean onlyWaits) {
    return new NewTask(
        "default",
        name,
        50,
        "default",
        "{}",
        "{}",
        false,
        null,
        timer,
        onlyWaits ? null : QueueOf.alone("default", "default", RunPolicy.DEFAULT));
  }

  @Test
  void tasks_that_look_the_same_and_have_no_key_are_all_stored() {
    assertThat(accept(List.of(batch(null, "a", "00"), batch(null, "a", "00"))).ids())
        .doesNotHaveDuplicates();
    assertThat(store.count("task")).isEqualTo(2);
  }

  @Test
  void the_same_key_and_request_gives_the_same_ids() {
    var first = accept(List.of(batch("k", "a", "01")));
    var second = accept(List.of(batch(null, "b", "02"), batch("k", "a", "01")));
    assertThat(second.ids().get(1)).isEqualTo(first.ids().getFirst());
    assertThat(store.count("task")).isEqualTo(2);
  }

  @Test
  void one_key_for_several_tasks_keeps_their_order() {
    var many =
        new Batch(
            new IdempotencyKey("default", "k", "01"), List.of(task("a"), task("b"), task("c")));
    assertThat(accept(List.of(many)).ids()).isEqualTo(accept(List.of(many)).ids());
    assertThat(store.count("task")).isEqualTo(3);
  }

  @Test
  void the_same_key_for_another_request_stores_nothing() {
    accept(List.of(batch("k", "a", "01")));
    var before = store.stored();
    assertThat(intake.submit(List.of(batch(null, "b", "02"), batch("k", "a", "03")), "me"))
        .isEqualTo(new Submission.KeyConflict(List.of("k")));
    assertThat(store.stored()).isEqualTo(before);
  }

  @Test
  void a_key_named_twice_in_one_call_is_one_task_or_a_conflict() {
    var twice = accept(List.of(batch("k", "a", "01"), batch("k", "a", "01")));
    assertThat(twice.ids().get(0)).isEqualTo(twice.ids().get(1));
    assertThat(store.count("task")).isEqualTo(1);
    assertThat(intake.submit(List.of(batch("q", "a", "01"), batch("q", "a", "02")), "me"))
        .isEqualTo(new Submission.KeyConflict(List.of("q")));
  }

  @Test
  void the_same_key_in_another_tenant_is_another_key() {
    var here = accept(List.of(batch("k", "a", "01")));
    var there =
        accept(List.of(new Batch(new IdempotencyKey("other", "k", "01"), List.of(task("a")))));
    assertThat(there.ids()).isNotEqualTo(here.ids());
  }

  @Test
  void of_concurrent_submits_with_one_key_exactly_one_stores() throws Exception {
    for (int round = 0; round < 10; round++) {
      var key = "race" + round;
      var before = store.count("task");
      var answers = race(8, () -> intake.submit(List.of(batch(key, "a", "01")), "me"));
      assertThat(answers).allMatch(answer -> answer instanceof Submission.Accepted);
      assertThat(answers.stream().distinct()).hasSize(1);
      assertThat(store.count("task")).isEqualTo(before + 1);
    }
  }

  @Test
  void concurrent_bulk_submits_of_the_same_keys_in_opposite_order_do_not_deadlock()
      throws Exception {
    var forward = IntStream.range(0, 200).mapToObj(i -> batch("k" + i, "t", "01")).toList();
    var turn = new java.util.concurrent.atomic.AtomicInteger();
    var answers =
        race(
            6,
            () ->
                intake.submit(
                    turn.getAndIncrement() % 2 == 0 ? forward : forward.reversed(), "me"));
    assertThat(answers).allMatch(answer -> answer instanceof Submission.Accepted);
    assertThat(store.count("task")).isEqualTo(200);
    assertThat(store.count("history")).isEqualTo(200);
  }

  @Test
  void a_submit_waits_for_an_uncommitted_one_with_its_key() throws Exception {
    try (var other = store.pool().getConnection();
        var threads = Executors.newSingleThreadExecutor()) {
      other.setAutoCommit(false);
      other
          .createStatement()
          .execute(
              "INSERT INTO idempotency VALUES ('default', 'k', '\\x01',"
                  + " '{019a0000-0000-7000-8000-000000000001}', belay_now())");
      var waiting = threads.submit(() -> intake.submit(List.of(batch("k", "a", "01")), "me"));
      assertThat(blocked()).isTrue();
      other.rollback();
      assertThat(waiting.get()).isInstanceOf(Submission.Accepted.class);
    }
    assertThat(store.count("task")).isEqualTo(1);
  }

  @Test
  void keys_are_forgotten_after_their_retention() {
    accept(List.of(batch("old", "a", "01")));
    store.run("UPDATE idempotency SET created_at = belay_now() - interval '8 days'");
    accept(List.of(batch("new", "a", "01")));
    assertThat(
            store
                .jdbi()
                .<Integer, RuntimeException>withHandle(
                    handle -> Keys.forget(handle, Duration.ofDays(7), 100)))
        .isEqualTo(1);
    assertThat(store.text("SELECT key FROM idempotency")).isEqualTo("new");
  }

  private boolean blocked() {
    for (int i = 0; i < 500; i++) {
      if (!store
          .text(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
                  + " current_database()")
          .isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private Submission.Accepted accept(List<Batch> batches) {
    return (Submission.Accepted) intake.submit(batches, "me");
  }

  private static Batch batch(@Nullable String key, String name, String hash) {
    return new Batch(
        key == null ? null : new IdempotencyKey("default", key, hash), List.of(task(name)));
  }

  private static NewTask task(String name) {
    return new NewTask("default", name, 50, "default", "{\"argv\": [\"true\"]}", "{}", false, null);
  }

  static <T> List<T> race(int threads, Callable<T> act) throws Exception {
    var start = new CountDownLatch(1);
    try (var executor = Executors.newFixedThreadPool(threads)) {
      var futures =
          IntStream.range(0, threads)
              .mapToObj(
                  i ->
                      executor.submit(
                          () -> {
                            start.await();
                            return act.call();
                          }))
              .toList();
      start.countDown();
      var results = new ArrayList<T>();
      for (var future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
