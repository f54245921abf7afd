package dev.belay.store.deadletter;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.wait.Wait;
import dev.belay.domain.wait.WaitReason;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.deadletter.GiveUp;
import dev.belay.engine.dispatch.UnservedQueues;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.port.DispatchStore.Head;
import dev.belay.engine.port.Meters;
import dev.belay.store.Sql;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import dev.belay.store.read.DeadLetter;
import dev.belay.store.read.Page.Window;
import dev.belay.store.read.Reads;
import dev.belay.store.read.WaitReads;
import dev.belay.store.system.PostgresRouting;
import dev.belay.store.worker.ForgottenWorkers;
import dev.belay.store.worker.PostgresKinds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tasks that nothing can ever run are given up after a while; all others wait. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnservedQueuesTest {

  private static final PlacementBackoff BACKOFF = PlacementBackoff.DEFAULT;

  /** Longer than any jitter makes it. */
  private static final Duration PATIENCE = Duration.ofMinutes(24);

  private static final EngineSettings SETTINGS = EngineSettings.of(1, 1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final DeadLetter.Filter ANY =
      new DeadLetter.Filter("default", null, null, null, null, null, null);

  private final LiveStore store = new LiveStore();
  private final Reads reads = new Reads(store.jdbi());
  private final AtomicLong ticker = new AtomicLong();
  private WaitingQueues waiting = new WaitingQueues(store.dispatch, SETTINGS, ticker::get);
  private UnservedQueues leader = leader();

  @BeforeEach
  void clear() {
    store.clear();
    ticker.set(0);
    setClock();
    store
        .rows()
        .run(
            "INSERT INTO replica (name, seen_at, writing_since)"
                + " VALUES ('r1', belay_now() + interval '30 d', belay_now())",
            "UPDATE leadership SET leader = 'r1', since = belay_now()");
    leader = leader();
  }

  @AfterAll
  void close() {
    store.close();
  }

  /** A new leader, which knows only the database. */
  private UnservedQueues leader() {
    waiting = new WaitingQueues(store.dispatch, SETTINGS, ticker::get);
    return new UnservedQueues(
        new UnservedQueues.Parts(
            waiting,
            store.queues,
            new PostgresRouting(store.jdbi()),
            new PostgresKinds(store.jdbi()),
            store.transactions,
            new GiveUp(
                store.transactions,
                new DeadLetters(store.ids(), false),
                store.rows().hints(),
                Meters.NONE)),
        BACKOFF,
        SETTINGS.tick(),
        () -> Optional.of(store.epoch()),
        ticker::get);
  }

  private TaskId waiting(String pool) {
    return store.submit(RunPolicy.DEFAULT, pool, 50);
  }

  private void pass(Duration time) {
    ticker.addAndGet(time.toNanos());
    setClock();
    look();
  }

  /** The tick finds the task queues in which tasks wait. */
  private void look() {
    waiting.hint(store.dispatch.readWaiting(null, 100).stream().map(Head::queue).toList());
    leader.runOnce();
  }

  private void setClock() {
    store
        .rows()
        .run(
            "CREATE OR REPLACE FUNCTION belay_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$"
                + " SELECT clock_timestamp() + interval '%d s' $$"
                    .formatted(Duration.ofNanos(ticker.get()).toSeconds()));
  }

  private String noted() {
    return store.rows().text("SELECT reason || ': ' || detail FROM unserved_queue ORDER BY since");
  }

  private Wait why(TaskId task) {
    var waits =
        new WaitReads(
            store.waitSources(),
            LiveStore.SILENCE,
            Duration.ofMinutes(1),
            new WaitReads.Placing(BACKOFF, RoutingSettings.DEFAULT),
            ticker::get);
    return waits.ofTask(task.value()).orElseThrow();
  }

  private List<DeadLetter> letters() {
    return reads.deadLetters(ANY, new Window(null, 100)).items();
  }

  @Test
  void a_task_of_a_pool_without_workers_is_given_up_after_its_last_look() {
    var task = waiting("gpuu");
    look();
    assertThat(noted()).isEqualTo("NO_WORKERS: no worker of pool gpuu ever came");
    pass(PATIENCE.minusMinutes(2));
    assertThat(store.task(task)).startsWith("SCHEDULED");
    pass(Duration.ofMinutes(2));
    assertThat(store.task(task)).isEqualTo("FAILED no_workers: no worker of pool gpuu ever came");
    assertThat(letters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.task()).isEqualTo(task.value());
              assertThat(letter.reason()).isEqualTo("no_workers");
            });
  }

  @Test
  void a_waiting_task_tells_the_reason_the_looks_and_when_it_is_given_up() {
    var task = waiting("gpuu");
    look();
    pass(Duration.ofSeconds(40));
    Wait why = why(task);
    assertThat(why.reason()).isEqualTo(WaitReason.NO_WORKERS);
    assertThat(why.detail())
        .isEqualTo("no worker of pool gpuu ever came; tried 6 times, given up after 50");
    assertThat(why.since()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(Duration.between(why.since(), why.until()))
        .isBetween(Duration.ofMinutes(22), PATIENCE);
  }

  /** Its poll would tell the tick nothing, and spare it its own. */
  @Test
  void task_queues_are_found_by_the_tick_alone() {
    waiting("gpuu");
    waiting.hint(List.of());
    leader.runOnce();
    assertThat(noted()).isEmpty();
    look();
    assertThat(noted()).isNotEmpty();
  }

  @Test
  void a_look_writes_nothing() {
    waiting("gpuu");
    look();
    String before = versions();
    for (int look = 0; look < 10; look++) {
      ticker.addAndGet(Duration.ofSeconds(30).toNanos());
      look();
    }
    assertThat(versions()).isEqualTo(before);
  }

  private String versions() {
    return store
        .rows()
        .text(
            "SELECT (SELECT string_agg(xmin::text, ' ') FROM task) || ' '"
                + " || (SELECT string_agg(xmin::text, ' ') FROM unserved_queue)");
  }

  @Test
  void each_task_waits_for_its_own_time() {
    var first = waiting("gpuu");
    look();
    pass(PATIENCE.dividedBy(2));
    var second = waiting("gpuu");
    pass(PATIENCE.dividedBy(2).plusSeconds(40));
    assertThat(store.task(first)).startsWith("FAILED");
    assertThat(store.task(second)).startsWith("SCHEDULED");
    pass(PATIENCE.dividedBy(2));
    assertThat(store.task(second)).startsWith("FAILED");
    assertThat(letters()).hasSize(2);
  }

  @Test
  void a_new_leader_neither_loses_nor_shortens_the_time() {
    var task = waiting("gpuu");
    look();
    pass(PATIENCE.minusMinutes(2));
    leader = leader();
    pass(Duration.ofSeconds(1));
    assertThat(store.task(task)).startsWith("SCHEDULED");
    leader = leader();
    pass(Duration.ofMinutes(2));
    assertThat(store.task(task)).startsWith("FAILED");
  }

  @Test
  void a_task_that_waited_long_before_its_pool_was_lost_is_not_given_up_at_once() {
    declare("etl", "default");
    store.newWorker();
    var task = waiting("default");
    onTopic(task);
    pass(PATIENCE);
    assertThat(noted()).isEmpty();
    store.rows().run("DELETE FROM topic", "UPDATE routing_version SET version = version + 1");
    pass(Duration.ofSeconds(1));
    assertThat(noted()).isEqualTo("NO_POOL_MAPPING: no pool runs topic etl");
    pass(PATIENCE.minusMinutes(2));
    assertThat(store.task(task)).startsWith("SCHEDULED");
    pass(Duration.ofMinutes(2));
    assertThat(store.task(task)).isEqualTo("FAILED no_pool_mapping: no pool runs topic etl");
  }

  private void declare(String topic, String pool) {
    store
        .rows()
        .run(
            "INSERT INTO topic (name, pools, declared_in, version, changed_at, changed_by)"
                + " VALUES ('"
                + topic
                + "', '{"
                + pool
                + "}', 'API', 1, belay_now(), 'me')",
            "UPDATE routing_version SET version = version + 1");
  }

  /** Moves the task to a task queue that names only a topic. */
  private void onTopic(TaskId task) {
    store
        .rows()
        .run(
            "WITH q AS (INSERT INTO task_queue (hash, spec, used_at) VALUES (sha256('etl'),"
                + " '{\"tenant\":\"default\",\"topic\":\"etl\"}', belay_now()) RETURNING id)"
                + " UPDATE task SET queue_id = q.id FROM q WHERE task.id = '"
                + task
                + "'");
  }

  @Test
  void a_worker_that_comes_ends_it_and_a_later_loss_starts_anew() {
    var task = waiting(LiveStore.POOL);
    look();
    pass(PATIENCE.minusMinutes(2));
    store.newWorker();
    pass(Duration.ofSeconds(1));
    assertThat(noted()).isEmpty();
    store.rows().run("TRUNCATE worker CASCADE");
    pass(Duration.ofMinutes(2));
    assertThat(noted()).isNotEmpty();
    pass(PATIENCE.minusMinutes(2));
    assertThat(store.task(task)).startsWith("SCHEDULED");
  }

  @Test
  void a_pool_whose_workers_are_down_for_an_hour_or_were_removed_gives_nothing_up() {
    store.newWorker();
    store.rows().run("UPDATE worker SET state = 'DISCONNECTED', disconnected_at = belay_now()");
    var task = waiting(LiveStore.POOL);
    look();
    pass(Duration.ofHours(1));
    pass(DAY);
    store.jdbi().useHandle(new ForgottenWorkers(DAY, DAY, DAY.multipliedBy(90))::forget);
    assertThat(store.rows().count("worker")).isZero();
    pass(PATIENCE);
    pass(PATIENCE);
    assertThat(noted()).isEmpty();
    assertThat(store.task(task)).startsWith("SCHEDULED");
    assertThat(letters()).isEmpty();
  }

  @Test
  void a_full_pool_gives_nothing_up() {
    store.newWorker();
    store.rows().run("UPDATE worker SET slots = 1");
    var task = waiting(LiveStore.POOL);
    look();
    pass(Duration.ofHours(1));
    pass(Duration.ofHours(1));
    assertThat(noted()).isEmpty();
    assertThat(store.task(task)).startsWith("SCHEDULED");
  }

  @Test
  void a_task_queue_in_which_nothing_waits_is_forgotten() {
    var task = waiting("gpuu");
    look();
    assertThat(noted()).isNotEmpty();
    store.rows().run("DELETE FROM task WHERE id = '" + task + "'");
    pass(Duration.ofMinutes(2));
    assertThat(noted()).isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(noted()).isEmpty();
  }

  @Test
  void nothing_is_given_up_that_somebody_declares_a_pool_for_in_this_moment() throws Exception {
    waiting("late");
    look();
    try (var race = new Race(store.rows(), Sql.named("system/raise_version"))) {
      var passed = race.next(() -> passed(Duration.ofHours(1)));
      race.release();
      assertThat(result(passed)).isEqualTo("SCHEDULED");
    }
  }

  private String passed(Duration time) {
    pass(time);
    return store.rows().text("SELECT string_agg(state::text, ' ') FROM task");
  }
}
