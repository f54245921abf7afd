package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.routing.Topic;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.LastAttempt;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.RoutingReads.Declared;
import dev.belay.engine.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a round obeys, and what it costs. */
class DispatchRoundTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final QueueId TOPIC = new QueueId(1_000);

  private final DispatchDatabase store = new DispatchDatabase();
  private EngineSettings settings = EngineSettings.of(1, 99);
  private int batches = 100;
  private WaitingQueues waiting = new WaitingQueues(store, settings, () -> store.nanos);
  private final QueueCatalog queues = new QueueCatalog(store, () -> 0);
  private final Rules rules = new Rules(store, settings, () -> store.nanos);
  private Roster roster = new Roster(store, queues, waiting, settings, () -> store.nanos);
  private DispatchPhase phase = phase();

  private DispatchPhase phase() {
    return new DispatchPhase(
        new DispatchPhase.Parts(
            store,
            queues,
            waiting,
            roster,
            rules,
            new RateTokens(new LimitsOnly(LimitsOnly.NONE), () -> 0),
            new Conflicts(
                new Conflicts.Parts(
                    new LimitsOnly(LimitsOnly.NONE), waiting, roster, Hints.NONE, Meters.NONE),
                () -> 0),
            () -> new UUID(7, store.next++),
            (worker, claimed) -> true,
            Hints.NONE),
        DispatchPhase.Choosing.DEFAULT,
        new DispatchPool(Runnable::run, 1, batches - 1, () -> {}),
        settings,
        () -> Instant.MAX,
        DispatchPhase.Drifts.NONE);
  }

  private void run() {
    for (int offered = 1; offered > 0; ) {
      offered = phase.runOnce(EPOCH);
    }
  }

  private void later(Duration time) {
    store.nanos += time.toNanos();
    run();
  }

  private static Placement onTopic(String topic) {
    return new Placement(topic, null, new TreeSet<>(), Map.of(), null, Size.ONE_SLOT, null);
  }

  private static Placement wide(int slots, @Nullable Duration timeout) {
    return new Placement(
        null, "a", new TreeSet<>(), Map.of(), null, new Size(slots, 0, 0), timeout);
  }

  private void queue(QueueId id, Placement placement, @Nullable String key) {
    queue(id, placement, key, 1);
  }

  private void queue(QueueId id, Placement placement, @Nullable String key, int limit) {
    Concurrency concurrency = key == null ? null : new Concurrency(key, limit, OnConflict.QUEUE);
    store.specs.put(id, new TaskQueue("default", null, placement, concurrency, null));
  }

  private static Declared pools(long version, Map<String, Integer> slots, Pool... pools) {
    return new Declared(
        version,
        List.of(pools),
        List.of(new Topic("etl", List.of("a", "b"))),
        new Limits(slots, Map.of(), Map.of()),
        Map.of());
  }

  @Test
  void pool_of_a_task_that_names_only_a_topic_is_counted_after_a_failover() {
    store.workers.add("a");
    store.workers.add("b");
    store.slots = 10;
    store.declared = pools(2, Map.of("a", 2, "b", 1));
    queue(TOPIC, onTopic("etl"), null);
    store.ready(TOPIC, 9, 50);
    run();
    assertThat(store.running.values()).extracting(Held::pool).containsOnly("a", "b").hasSize(3);

    waiting = new WaitingQueues(store, settings, () -> store.nanos);
    roster = new Roster(store, queues, waiting, settings, () -> store.nanos);
    phase = phase();
    run();
    assertThat(store.running).as("a new leader counts what is stored").hasSize(3);
  }

  @Test
  void slots_of_a_pool_and_its_state_are_obeyed_when_they_change() {
    store.workers.add("a");
    store.slots = 10;
    store.declared = pools(2, Map.of("a", 1));
    store.ready("a", 20);
    run();
    assertThat(store.active("a")).isEqualTo(1);
    declare(pools(3, Map.of("a", 4)));
    assertThat(store.active("a")).isEqualTo(4);
    declare(pools(4, Map.of("a", 2)));
    end("a", 1);
    assertThat(store.active("a")).as("above its limit, so nothing starts").isEqualTo(3);
    end("a", 2);
    assertThat(store.active("a")).isEqualTo(2);
    declare(pools(5, Map.of(), new Pool("a", Pool.State.DRAINING, Set.of(), Pool.Strategy.SPREAD)));
    end("a", 1);
    assertThat(store.active("a")).isEqualTo(1);
    declare(pools(6, Map.of()));
    assertThat(store.active("a")).as("removed").isEqualTo(10);
  }

  private void declare(Declared declared) {
    store.declared = declared;
    rules.hint();
    run();
  }

  private void end(String pool, int tasks) {
    for (int i = 0; i < tasks; i++) {
      roster.over(List.of(store.end(pool)));
    }
    run();
  }

  @Test
  void retry_avoids_the_worker_on_which_it_failed_while_another_has_room() {
    store.workers.add("a");
    store.more.put("a2", "a");
    for (int i = 0; i < 2; i++) {
      store.ready("a", 1, new LastAttempt(DispatchDatabase.id("a"), null));
      waiting.hint(List.of(new QueueId('a')));
      run();
    }
    assertThat(store.active("a")).isZero();
    assertThat(store.active("a2")).isEqualTo(2);
    store.ready("a", 1, new LastAttempt(DispatchDatabase.id("a"), null));
    waiting.hint(List.of(new QueueId('a')));
    run();
    assertThat(store.active("a")).as("no other has room").isEqualTo(1);
  }

  @Test
  void worker_that_cannot_start_anything_is_left_alone_for_a_while() {
    store.workers.add("a");
    store.nanos = Duration.ofSeconds(100).toNanos();
    store.ready("a", 1, new LastAttempt(DispatchDatabase.id("a"), Instant.ofEpochSecond(100)));
    store.ready("a", 1);
    run();
    assertThat(store.active("a")).as("also for other tasks").isEqualTo(0);
    later(Duration.ofSeconds(9));
    assertThat(store.active("a")).isZero();
    later(Duration.ofSeconds(2));
    assertThat(store.active("a")).isEqualTo(2);
  }

  @Test
  void wide_task_gets_its_worker_among_a_stream_of_narrow_ones() {
    store.workers.add("a");
    store.slots = 4;
    queue(new QueueId(1), Placement.inPool("a"), null);
    queue(new QueueId(2), wide(4, null), null);
    store.ready(new QueueId(1), 500, 50);
    run();
    assertThat(store.active("a")).isEqualTo(4);
    store.ready(new QueueId(2), 1, 50);
    waiting.hint(List.of(new QueueId(2)));
    int ended = 0;
    while (!store.claimed.contains(new QueueId(2)) && ended < 50) {
      end("a", 1);
      ended++;
    }
    assertThat(ended).as("each slot that becomes free is kept for it").isLessThanOrEqualTo(8);
    end("a", 1);
    assertThat(store.active("a")).as("narrow ones go on behind it").isEqualTo(4);
  }

  @Test
  void task_queues_that_wait_for_full_keys_cost_a_round_nothing() {
    store.workers.add("a");
    store.slots = 20_000;
    List<QueueId> full = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      var id = new QueueId(10_000 + i);
      queue(id, Placement.inPool("a"), "key" + i);
      store.ready(id, 2, 90);
      full.add(id);
    }
    run();
    assertThat(store.active("a")).isEqualTo(10_000);
    store.wanted = 0;

    queue(new QueueId(1), Placement.inPool("a"), null);
    store.ready(new QueueId(1), 100, 10);
    waiting.hint(List.of(new QueueId(1)));
    run();
    assertThat(store.active("a")).as("what is blocked hides nothing").isEqualTo(10_100);
    assertThat(store.wanted).as("nor is it read").isLessThan(10);

    DispatchId first = store.of(full.get(77));
    store.running.remove(first);
    roster.over(List.of(first));
    run();
    assertThat(store.claimed.getLast()).as("a freed key wakes its own").isEqualTo(full.get(77));
    assertThat(store.wanted).isLessThan(20);
  }

  @Test
  void limit_of_a_tenant_holds_its_task_queues_together_and_wakes_them() {
    store.workers.add("a");
    store.slots = 100;
    store.declared =
        new Declared(
            2, List.of(), List.of(), new Limits(Map.of(), Map.of("acme", 3), Map.of()), Map.of());
    for (int i = 0; i < 50; i++) {
      store.specs.put(
          new QueueId(i), new TaskQueue("acme", "w" + i, Placement.inPool("a"), null, null));
      store.ready(new QueueId(i), 1, 50);
    }
    run();
    while (store.claimed.size() < 50) {
      assertThat(store.active("a")).isLessThanOrEqualTo(3);
      int before = store.claimed.size();
      end("a", 1);
      assertThat(store.claimed).hasSize(before + 1);
    }
    assertThat(store.claimed).doesNotHaveDuplicates();
  }

  @Test
  void better_task_in_a_task_queue_that_was_blocked_goes_first_when_it_is_free() {
    store.workers.add("a");
    queue(new QueueId(1), Placement.inPool("a"), "key");
    queue(new QueueId(2), Placement.inPool("a"), "key");
    store.ready(new QueueId(1), 3, 50);
    run();
    store.ready(new QueueId(2), 1, 90);
    waiting.hint(List.of(new QueueId(2)));
    run();
    assertThat(store.claimed).containsExactly(new QueueId(1));
    end("a", 1);
    assertThat(store.claimed).containsExactly(new QueueId(1), new QueueId(2));
  }

  @Test
  void smallest_limit_of_a_key_counts_for_all_that_wait_or_run_and_only_as_long_as_they_do() {
    store.workers.add("a");
    store.slots = 10;
    queue(new QueueId(1), Placement.inPool("a"), "key", 3);
    queue(new QueueId(2), Placement.inPool("a"), "key", 1);
    store.ready(new QueueId(1), 9, 50);
    run();
    assertThat(store.active("a")).isEqualTo(3);
    store.ready(new QueueId(2), 1, 10);
    waiting.hint(List.of(new QueueId(2)));
    end("a", 2);
    assertThat(store.active("a")).as("a task with the limit 1 waits").isEqualTo(1);
    end("a", 1);
    assertThat(store.active("a")).isEqualTo(1);
    while (!store.claimed.contains(new QueueId(2))) {
      end("a", 1);
      assertThat(store.active("a")).isEqualTo(1);
    }
    assertThat(store.running.values()).extracting(Held::queue).containsExactly(new QueueId(2));
    store.ready(new QueueId(1), 3, 50);
    waiting.hint(List.of(new QueueId(1)));
    run();
    assertThat(store.active("a")).as("it runs").isEqualTo(1);
    end("a", 1);
    assertThat(store.active("a")).as("it is over").isEqualTo(3);
  }

  @Test
  void limit_of_a_task_that_was_cancelled_while_it_waited_holds_up_the_others_for_a_tick_only() {
    store.workers.add("a");
    store.slots = 10;
    queue(new QueueId(1), Placement.inPool("a"), "key", 3);
    queue(new QueueId(2), Placement.inPool("a"), "key", 1);
    store.ready(new QueueId(1), 2, 50);
    run();
    store.ready(new QueueId(2), 1, 10);
    waiting.hint(List.of(new QueueId(2)));
    run();
    store.ready(new QueueId(1), 5, 50);
    waiting.hint(List.of(new QueueId(1)));
    later(Duration.ofSeconds(11));
    assertThat(store.active("a")).isEqualTo(2);
    later(settings.tick());
    assertThat(store.active("a")).as("it still waits").isEqualTo(2);
    store.scheduled.put(new QueueId(2), List.of());
    later(settings.tick());
    assertThat(store.active("a")).isEqualTo(3);
  }

  @Test
  void limit_of_a_task_that_was_cancelled_before_others_came_does_not_hold_them_up() {
    store.workers.add("a");
    store.slots = 10;
    queue(new QueueId(1), Placement.inPool("a"), "key", 3);
    queue(new QueueId(2), Placement.inPool("a"), "key", 1);
    store.ready(new QueueId(1), 2, 50);
    run();
    waiting.hint(List.of(new QueueId(2))); // Its task is gone already.
    run();
    store.ready(new QueueId(1), 5, 50);
    waiting.hint(List.of(new QueueId(1)));
    later(settings.tick());
    assertThat(store.active("a")).isEqualTo(3);
  }

  @Test
  void tasks_that_cannot_start_are_counted_by_the_reason_that_waiting_shows() {
    store.workers.add("a");
    store.slots = 1;
    store.declared =
        pools(2, Map.of(), new Pool("a", Pool.State.DRAINING, Set.of(), Pool.Strategy.SPREAD));
    store.ready("a", 1);
    store.ready("b", 1);
    run();
    assertThat(phase.refusals().count("pool_inactive")).isEqualTo(1);
    assertThat(phase.refusals().count("no_workers")).isEqualTo(1);
    declare(pools(3, Map.of()));
    store.ready("a", 1);
    waiting.hint(List.of(new QueueId('a')));
    run();
    assertThat(phase.refusals().count("pool_overloaded")).isPositive();
    assertThat(phase.refusals().count("no_pool_mapping")).isZero();
  }

  @Test
  void parallel_claims_share_no_worker_when_all_of_a_round_is_claimed() {
    store.workers.add("a");
    store.more.put("a2", "a");
    store.slots = 500;
    settings = EngineSettings.of(2, 99);
    phase = phase();
    store.ready("a", 1_000);
    run();
    assertThat(store.workersOfClaims).hasSize(2).allMatch(workers -> workers.size() == 1);
  }

  @Test
  void first_tasks_of_a_round_go_first_when_the_pool_may_not_take_all() {
    store.workers.add("a");
    store.more.put("a2", "a");
    store.slots = 500;
    settings = EngineSettings.of(2, 99);
    batches = 1;
    phase = phase();
    store.ready("a", 1_000);
    phase.runOnce(EPOCH);
    assertThat(store.workersOfClaims).isNotEmpty().allMatch(workers -> workers.size() == 2);
  }

  @Test
  void place_that_another_replica_freed_is_found_at_its_hint_though_slots_are_free() {
    store.workers.add("a");
    store.slots = 10;
    queue(new QueueId(1), Placement.inPool("a"), "key");
    store.ready(new QueueId(1), 2, 50);
    run();
    assertThat(store.claimed).hasSize(1);
    store.running.remove(store.of(new QueueId(1)));
    roster.doubt();
    run();
    assertThat(store.claimed).hasSize(2);
  }

  @Test
  void claim_that_commits_after_its_leader_lost_it_holds_its_key() {
    store.workers.add("a");
    queue(new QueueId(1), Placement.inPool("a"), "key");
    queue(new QueueId(2), Placement.inPool("a"), "key");
    store.ready(new QueueId(1), 1, 50);
    store.losesClaim = true;
    phase.runOnce(EPOCH);
    store.ready(new QueueId(2), 1, 90);
    waiting.hint(List.of(new QueueId(2)));
    run();
    store.settle();
    assertThat(store.claimed).containsExactly(new QueueId(1));
    end("a", 1);
    assertThat(store.claimed).containsExactly(new QueueId(1), new QueueId(2));
  }

  @Test
  void task_that_waits_in_another_task_queue_by_now_does_not_start_in_the_old_one() {
    store.workers.add("a");
    queue(new QueueId(1), Placement.inPool("a"), "old");
    queue(new QueueId(2), Placement.inPool("a"), "new");
    store.ready(new QueueId(1), 1, 50);
    store.duringRead =
        () -> {
          store.duringRead = () -> {};
          store.move(new QueueId(1), new QueueId(2));
        };
    run();
    assertThat(store.claimed).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(store.claimed).containsExactly(new QueueId(2));
  }

  @Test
  void topic_that_leads_to_a_full_pool_now_holds_up_no_other_pool() {
    store.workers.add("a");
    store.workers.add("b");
    store.slots = 1;
    store.declared = etl(2, "a");
    store.ready("a", 1);
    store.ready("b", 1);
    run();
    queue(TOPIC, onTopic("etl"), null);
    store.ready(TOPIC, 1, 90);
    later(Duration.ofSeconds(1));
    assertThat(store.claimed).as("both pools are full").hasSize(2);

    declare(etl(3, "b"));
    store.ready("a", 1);
    end("a", 1);
    assertThat(store.active("a")).isEqualTo(1);
    end("b", 1);
    assertThat(store.claimed.getLast()).isEqualTo(TOPIC);
  }

  private static Declared etl(long version, String pool) {
    return new Declared(
        version, List.of(), List.of(new Topic("etl", List.of(pool))), Limits.NONE, Map.of());
  }

  @Test
  void read_that_fails_forgets_no_hint() {
    store.workers.add("a");
    run();
    store.ready("a", 1);
    waiting.hint(List.of(new QueueId('a')));
    store.duringRead =
        () -> {
          store.duringRead = () -> {};
          throw new IllegalStateException("lost the connection");
        };
    try {
      phase.runOnce(EPOCH);
    } catch (IllegalStateException lost) {
      assertThat(lost).hasMessageContaining("lost");
    }
    run();
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void worker_in_another_pool_is_not_asked() {
    store.workers.add("b");
    store.ready("a", 1);
    run();
    assertThat(store.running).isEmpty();
    store.workers.add("a");
    later(Duration.ofSeconds(1));
    assertThat(store.running.values())
        .extracting(Held::worker)
        .containsExactly(new WorkerId(DispatchDatabase.id("a").value()));
  }
}
