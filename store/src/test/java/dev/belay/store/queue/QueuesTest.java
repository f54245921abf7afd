package dev.belay.store.queue;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Meters;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.Submission;
import dev.belay.store.intake.TaskIntake;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuesTest {

  private static final Duration MONTH = Duration.ofDays(30);

  private final LiveStore store = new LiveStore();
  private final PostgresQueues queues = new PostgresQueues(store.jdbi());

  @AfterEach
  void close() {
    store.close();
  }

  private static TaskQueue queue(String pool) {
    return QueueOf.alone("default", pool, RunPolicy.DEFAULT);
  }

  private QueueId intern(String pool) {
    return queues.intern(List.of(queue(pool))).values().iterator().next();
  }

  private int forget() {
    return store.jdbi().inTransaction(handle -> UnusedQueues.forget(handle, MONTH, 1_000));
  }

  private void age(String pool, int days) {
    age(intern(pool), days);
  }

  private void age(QueueId queue, int days) {
    store
        .rows()
        .run(
            "UPDATE task_queue SET used_at = belay_now() - interval '%d days' WHERE id = %s"
                .formatted(days, queue));
  }

  private static TaskQueue keyed(String key) {
    TaskQueue plain = queue("keyed");
    return new TaskQueue(
        "default",
        null,
        plain.placement(),
        new TaskQueue.Concurrency(key, 1, TaskQueue.OnConflict.QUEUE),
        null);
  }

  private QueueId internKey(String key) {
    return queues.intern(List.of(keyed(key))).values().iterator().next();
  }

  private TaskId submitKey(String key) {
    var task =
        new NewTask(
            "default",
            "t",
            50,
            "keyed",
            "{\"argv\": [\"true\"]}",
            "{}",
            false,
            null,
            null,
            keyed(key));
    var intake =
        new TaskIntake(store.jdbi(), store.ids(), store.rows().hints(), store.queues, Meters.NONE);
    var stored = intake.submit(List.of(new Batch(null, List.of(task))), "me");
    return new TaskId(((Submission.Accepted) stored).ids().getFirst());
  }

  private void end(TaskId task) {
    store
        .rows()
        .run(
            "UPDATE task SET state = 'CANCELLED', ended_at = belay_now() WHERE id = '"
                + task
                + "'");
  }

  @Test
  void a_task_queue_keeps_its_id() {
    QueueId first = intern("a");
    assertThat(intern("b")).isNotEqualTo(first);
    assertThat(intern("a")).isEqualTo(first);
    assertThat(queues.readQueues(List.of(first, new QueueId(1_000_000))))
        .isEqualTo(java.util.Map.of(first, queue("a")));
  }

  /** Each key is one: a system that is busy for years uses more of them than an int holds. */
  @Test
  void ids_do_not_end_with_those_of_an_int() {
    var id = new QueueId(5_000_000_000L);
    store.rows().run("ALTER TABLE task_queue ALTER COLUMN id RESTART WITH " + id);
    TaskId task = submitKey("order-7");
    assertThat(store.dispatch.readWaiting(null, 10))
        .extracting(DispatchStore.Head::queue)
        .containsExactly(id);
    assertThat(store.dispatch.readWaiting(id, 10)).isEmpty();
    store.claim(store.newWorker(), task);
    assertThat(store.dispatch.readWorkers().held())
        .extracting(DispatchStore.Held::queue)
        .containsExactly(id);
    assertThat(queues.readQueues(List.of(id))).containsValue(keyed("order-7"));
  }

  @Test
  void many_writers_at_once_agree_on_the_ids() {
    List<TaskQueue> wanted = IntStream.range(0, 50).mapToObj(i -> queue("p" + i)).toList();
    var answers = IntStream.range(0, 8).parallel().mapToObj(i -> queues.intern(wanted)).toList();
    assertThat(answers).hasSize(8).allMatch(answers.getFirst()::equals);
    assertThat(store.rows().count("task_queue")).isEqualTo(50);
  }

  @Test
  void an_unused_task_queue_is_deleted_long_after_the_last_task_that_named_it() {
    age("old", 61);
    age("kept", 59);
    intern("new");
    assertThat(forget()).isEqualTo(1);
    assertThat(
            store
                .rows()
                .text("SELECT string_agg(spec ->> 'pool', ' ' ORDER BY id) FROM task_queue"))
        .isEqualTo("kept new");
  }

  @Test
  void the_task_queue_of_an_open_task_is_in_use_until_the_task_ends() {
    TaskId task = store.submit(RunPolicy.DEFAULT, "held", 50);
    age("held", 100);
    assertThat(forget()).as("found in use").isEqualTo(1);
    assertThat(store.rows().count("task_queue WHERE used_at > belay_now() - interval '1 minute'"))
        .isEqualTo(1);
    end(task);
    assertThat(forget()).as("it may be retried").isZero();
    age("held", 61);
    assertThat(forget()).isEqualTo(1);
  }

  @Test
  void a_key_that_nobody_uses_is_forgotten_after_days_however_long_tasks_are_kept() {
    age("plain", 4);
    age(internKey("old"), 4);
    age(internKey("late"), 2);
    age(internKey("held"), 0);
    TaskId waits = submitKey("waits");
    TaskId timed = submitKey("timed");
    store
        .rows()
        .run(
            "UPDATE task SET state = 'PENDING', not_before = belay_now() WHERE id = '"
                + timed
                + "'");
    age(internKey("waits"), 4);
    age(internKey("timed"), 4);
    assertThat(
            (int)
                store
                    .jdbi()
                    .inTransaction(handle -> UnusedQueues.forget(handle, Duration.ZERO, 1_000)))
        .as("one deleted, two in use")
        .isEqualTo(3);
    assertThat(
            store
                .rows()
                .text(
                    "SELECT string_agg(spec #>> '{concurrency,key}', ' ' ORDER BY id) FROM"
                        + " task_queue"))
        .isEqualTo("late held waits timed");
    assertThat(store.task(waits, "state")).isEqualTo("SCHEDULED");
  }

  @Test
  void a_task_without_a_run_can_be_retried_after_its_key_was_forgotten() {
    TaskId task = submitKey("order-7");
    QueueId before = internKey("order-7");
    end(task);
    age(before, 4);
    assertThat(forget()).isEqualTo(1);
    assertThat(store.rows().count("task_queue")).isZero();

    store.taskSteering.retry(new TaskSteering.Request(task, "", "me"));
    assertThat(store.due.promote(store.epoch(), 10).count()).isEqualTo(1);
    assertThat(store.task(task, "state")).isEqualTo("SCHEDULED");
    QueueId after = new QueueId(Long.parseLong(store.task(task, "queue_id")));
    assertThat(after).isNotEqualTo(before);
    assertThat(queues.readQueues(List.of(after))).containsValue(keyed("order-7"));
    assertThat(internKey("order-7")).as("the same text").isEqualTo(after);
  }

  @Test
  void a_task_queue_that_somebody_interns_in_this_moment_stays() {
    QueueId queue = internKey("order-7");
    age(queue, 4);
    String renew = "UPDATE task_queue SET used_at = belay_now() WHERE id = " + queue;
    try (var race = new Race(store.rows(), renew)) {
      var forgotten = race.next(this::forget);
      race.release();
      assertThat(result(forgotten)).isZero();
    }
    assertThat(queues.readQueues(List.of(queue))).isNotEmpty();
  }

  /** As in a process whose machine slept over the weekend: it still knows the id. */
  @Test
  void a_task_never_names_a_task_queue_that_was_deleted_meanwhile() {
    end(submitKey("order-7"));
    age(internKey("order-7"), 4);
    assertThat(forget()).isEqualTo(1);
    TaskId task = submitKey("order-7");
    assertThat(store.task(task, "queue_id")).isEqualTo(internKey("order-7").toString());
    assertThat(store.rows().count("task")).isEqualTo(2);
  }

  /** No retention is about to delete it, because it is in use again before a task names it. */
  @Test
  void a_task_that_names_a_task_queue_puts_it_to_use() {
    QueueId queue = internKey("order-7");
    end(submitKey("order-7"));
    age(queue, 4);
    TaskId task = submitKey("order-7");
    assertThat(store.task(task, "queue_id")).isEqualTo(queue.toString());
    assertThat(store.rows().count("task_queue WHERE used_at > belay_now() - interval '1 day'"))
        .isEqualTo(1);
  }

  @Test
  void the_tasks_of_a_plan_never_name_a_task_queue_that_was_deleted_meanwhile() {
    var planning = new Planning(store);
    planning.register(
        """
        name: w
        tasks:
          - {name: a, command: [x], concurrency: {key: k}}
          - {name: b, command: [x], depends_on: [a], concurrency: {key: k}}
        """);
    for (int i = 0; i < 2; i++) {
      RunId run = planning.trigger("w", 1).getFirst();
      planning.plan();
      assertThat(specOf(planning.task(run, "a"))).isEqualTo("k");
      planning.finish(run, "a", 0);
      forgetAll();
      planning.plan();
      assertThat(specOf(planning.task(run, "b"))).isEqualTo("k");
      planning.finish(run, "b", 0);
      planning.plan();
      assertThat(planning.state(run)).startsWith("SUCCEEDED");
      forgetAll();
    }
  }

  private void forgetAll() {
    store.rows().run("UPDATE task_queue SET used_at = belay_now() - interval '4 days'");
    assertThat(forget()).isEqualTo(1);
    assertThat(store.rows().count("task_queue")).isZero();
  }

  private String specOf(TaskId task) {
    return store
        .rows()
        .text(
            "SELECT spec #>> '{concurrency,key}' FROM task_queue JOIN task ON task.queue_id ="
                + " task_queue.id WHERE task.id = '"
                + task
                + "'");
  }

  @Test
  void nothing_without_a_key_is_deleted_while_tasks_are_kept_for_ever() {
    age("old", 10_000);
    assertThat(
            (int)
                store
                    .jdbi()
                    .inTransaction(handle -> UnusedQueues.forget(handle, Duration.ZERO, 1_000)))
        .isZero();
  }
}
