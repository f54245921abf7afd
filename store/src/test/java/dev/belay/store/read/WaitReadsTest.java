package dev.belay.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.wait.Wait;
import dev.belay.session.gateway.Peer;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.queue.PostgresQueues;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task for each reason of the dispatcher, on any replica. */
class WaitReadsTest {

  private static final Placement DEFAULT = Placement.inPool("default");

  private final LiveStore store = new LiveStore();
  private final AtomicLong ticker = new AtomicLong();
  private final WaitReads waits =
      new WaitReads(
          store.waitSources(),
          LiveStore.SILENCE,
          Duration.ofMinutes(1),
          WaitReads.Placing.DEFAULT,
          () -> ticker.addAndGet(1_000_000_000L));
  private Peer worker;

  @BeforeEach
  void lead() {
    worker = store.newWorker();
    store.rows().run("UPDATE leadership SET leader = 'r1'");
    store
        .rows()
        .run(
            "INSERT INTO replica (name, seen_at, writing_since) VALUES ('r1', belay_now(),"
                + " belay_now()) ON CONFLICT (name) DO UPDATE SET seen_at = belay_now()");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private TaskId waiting(String tenant, @Nullable String workflow, Placement placement) {
    return waiting(new TaskQueue(tenant, workflow, placement, null, null));
  }

  private TaskId waiting(TaskQueue queue) {
    var task = store.submit(RunPolicy.DEFAULT);
    var id = new PostgresQueues(store.jdbi()).intern(Set.of(queue)).get(queue);
    store.rows().run("UPDATE task SET queue_id = %s WHERE id = '%s'".formatted(id, task));
    return task;
  }

  private static Placement onTopic(String topic, String... requires) {
    return new Placement(
        topic, null, new TreeSet<>(Set.of(requires)), Map.of(), null, Size.ONE_SLOT, null);
  }

  private String why(TaskId task) {
    Wait wait = waits.ofTask(task.value()).orElseThrow();
    return wait.reason().word() + ": " + wait.detail();
  }

  @Test
  void nothing_blocks_it() {
    assertThat(why(waiting("default", null, DEFAULT))).isEqualTo("scheduler: starts in a moment");
  }

  @Test
  void topic_or_capability_that_no_pool_has() {
    assertThat(why(waiting("default", null, onTopic("etl"))))
        .isEqualTo("no_pool_mapping: no pool runs topic etl");
    declare("topic", "'etl', NULL, '{default}'");
    assertThat(why(waiting("default", null, onTopic("etl"))))
        .isEqualTo("scheduler: starts in a moment");
    assertThat(why(waiting("default", null, onTopic("etl", "gpu"))))
        .startsWith("no_pool_mapping: nothing in the pools of topic etl has gpu");
  }

  private void declare(String table, String values) {
    String columns =
        switch (table) {
          case "topic" -> "name, description, pools";
          case "pool" -> "name, description, state, slots, capabilities, strategy";
          default -> "name, description, weight, max_running, max_waiting";
        };
    store
        .rows()
        .run(
            "INSERT INTO %s (%s, declared_in, version, changed_at, changed_by) VALUES (%s, 'API', 2, belay_now(), 'ann')"
                .formatted(table, columns, values));
  }

  @Test
  void worker_that_could_not_start_a_task_is_not_asked_for_as_long_as_the_setting_says() {
    var task = waiting("default", null, DEFAULT);
    var again = store.submit(RunPolicy.DEFAULT);
    store
        .rows()
        .run(
            "UPDATE task SET dispatch_id = gen_random_uuid(), worker_id = '"
                + worker.worker()
                + "', session_id = '"
                + worker.session()
                + "', epoch = 1, fencing_token = 1, dispatched_at = belay_now(), attempt_ended_at ="
                + " belay_now() - interval '20 s', end_reason = 'dispatch_failed: no threads' WHERE"
                + " id = '"
                + again
                + "'");
    assertThat(why(task)).as("10 s are over").isEqualTo("scheduler: starts in a moment");
    var usual = RoutingSettings.DEFAULT;
    var patient =
        new WaitReads(
            store.waitSources(),
            LiveStore.SILENCE,
            Duration.ofMinutes(1),
            new WaitReads.Placing(
                PlacementBackoff.DEFAULT,
                new RoutingSettings(
                    usual.lastChoiceShare(),
                    usual.overloadedShare(),
                    usual.avoidOverloaded(),
                    usual.reservationKept(),
                    Duration.ofMinutes(1))),
            () -> ticker.addAndGet(1_000_000_000L));
    assertThat(patient.ofTask(task.value()).orElseThrow().detail())
        .isEqualTo("no worker of pool default has room (0 of 4 slots taken): 1 refused");
  }

  @Test
  void workers_that_are_away_or_full() {
    var task = waiting("default", null, DEFAULT);
    assertThat(why(waiting("default", null, Placement.inPool("gpu"))))
        .isEqualTo("no_workers: no worker of pool gpu ever came");
    for (int i = 0; i < 4; i++) {
      store.claim(worker, store.submit(RunPolicy.DEFAULT));
    }
    assertThat(why(task))
        .isEqualTo(
            "pool_overloaded: no worker of pool default has room (4 of 4 slots taken): 1 slots");
    store.workers.drain(worker);
    assertThat(why(task)).isEqualTo("no_workers: no worker of pool default takes work: 1 draining");
  }

  @Test
  void pool_that_starts_nothing_or_is_full() {
    var task = waiting("default", null, DEFAULT);
    var holder = store.submit(RunPolicy.DEFAULT);
    store.claim(worker, holder);
    declare("pool", "'default', NULL, 'ACTIVE', 1, '{}', 'SPREAD'");
    assertThat(why(task))
        .isEqualTo("pool_slots: tasks of pool default hold 1 of 1 slots: " + holder);
    store.rows().run("UPDATE pool SET state = 'DRAINING'");
    assertThat(why(task)).isEqualTo("pool_inactive: pool default is draining or inactive");
  }

  @Test
  void limits_of_tenants_workflows_and_keys() {
    declare("tenant", "'acme', NULL, 1, 1, NULL");
    var ofTenant = waiting("acme", null, DEFAULT);
    store.claim(worker, ofTenant);
    assertThat(why(waiting("acme", null, DEFAULT)))
        .isEqualTo("tenant_limit: tenant acme has 1 of 1 tasks running: " + ofTenant);

    var ofWorkflow = waiting("default", "etl", DEFAULT);
    store.claim(worker, ofWorkflow);
    store
        .rows()
        .run("INSERT INTO workflow_control (tenant, name, max_tasks) VALUES ('default', 'etl', 1)");
    assertThat(why(waiting("default", "etl", DEFAULT)))
        .isEqualTo("max_tasks: workflow etl has 1 of 1 tasks running (max_tasks): " + ofWorkflow);

    var keyed =
        new TaskQueue("default", null, DEFAULT, new Concurrency("k", 1, OnConflict.QUEUE), null);
    var ofKey = waiting(keyed);
    store.claim(worker, ofKey);
    assertThat(why(waiting(keyed)))
        .isEqualTo("concurrency: concurrency key k has 1 of 1 tasks running: " + ofKey);
  }

  private static TaskQueue keyed(String tenant, int limit) {
    return new TaskQueue(
        tenant, null, DEFAULT, new Concurrency("k", limit, OnConflict.QUEUE), null);
  }

  @Test
  void smallest_limit_of_a_key_that_a_task_waits_with() {
    var holder = waiting(keyed("default", 3));
    store.claim(worker, holder);
    var task = waiting(keyed("default", 3));
    waiting(keyed("acme", 1));
    assertThat(why(task)).as("another tenant's").isEqualTo("scheduler: starts in a moment");
    var strict = waiting(keyed("default", 1));
    assertThat(why(task))
        .isEqualTo("concurrency: concurrency key k has 1 of 1 tasks running: " + holder);
    store
        .rows()
        .run(
            "UPDATE task SET state = 'CANCELLED', ended_at = belay_now() WHERE id = '"
                + strict
                + "'");
    assertThat(why(task)).as("it waits no more").isEqualTo("scheduler: starts in a moment");
  }
}
