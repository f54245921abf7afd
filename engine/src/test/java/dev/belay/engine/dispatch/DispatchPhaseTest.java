package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.RoutingReads.Declared;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.statement.LimitStatements.FullKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims between two reads of the workers. */
class DispatchPhaseTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final int SLOTS = 2;

  private final DispatchDatabase store = new DispatchDatabase();
  private final WaitingQueues waiting =
      new WaitingQueues(store, EngineSettings.of(1, 9), () -> store.nanos);
  private final QueueCatalog queues = new QueueCatalog(store, () -> 0);
  private final Roster roster =
      new Roster(store, queues, waiting, EngineSettings.of(1, 9), () -> 0);
  private final Rules rules = new Rules(store, EngineSettings.of(1, 9), () -> store.nanos);
  private final RateTokensTest.Bank bank = new RateTokensTest.Bank();
  private final DispatchPhase phase =
      new DispatchPhase(
          new DispatchPhase.Parts(
              store,
              queues,
              waiting,
              roster,
              rules,
              new RateTokens(new LimitsOnly(bank), () -> bank.nanos),
              new Conflicts(
                  new Conflicts.Parts(
                      new LimitsOnly(bank), waiting, roster, Hints.NONE, Meters.NONE),
                  () -> store.nanos),
              () -> new UUID(7, store.next++),
              (worker, claimed) -> true,
              Hints.NONE),
          DispatchPhase.Choosing.DEFAULT,
          new DispatchPool(Runnable::run, 1, 9, () -> {}),
          EngineSettings.of(1, 9),
          () -> Instant.MAX,
          DispatchPhase.Drifts.NONE);

  @Test
  void pool_that_was_full_gets_work_as_soon_as_a_slot_is_free_though_another_pool_idles() {
    store.workers.add("a");
    store.workers.add("b");
    store.ready("a", 5);
    phase.runOnce(EPOCH);
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
    roster.over(List.of(store.end("a")));
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
    assertThat(store.reads).as("it counts what it hears").isEqualTo(1);
  }

  @Test
  void slot_that_another_replica_freed_is_found_at_its_hint() {
    store.workers.add("a");
    store.ready("a", 5);
    phase.runOnce(EPOCH);
    store.end("a");
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).as("nobody told").isEqualTo(SLOTS - 1);
    roster.doubt();
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
  }

  @Test
  void nobody_gets_more_than_its_slots_however_often_it_looks() {
    store.workers.add("a");
    store.ready("a", 50);
    for (int i = 0; i < 5; i++) {
      phase.runOnce(EPOCH);
      assertThat(store.active("a")).isEqualTo(SLOTS);
    }
  }

  @Test
  void first_worker_to_come_gets_work_at_once() {
    store.ready("a", 1);
    phase.runOnce(EPOCH);
    store.workers.add("a");
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void workers_with_room_are_not_read_again() {
    store.workers.add("a");
    store.ready("a", 1);
    phase.runOnce(EPOCH);
    phase.runOnce(EPOCH);
    assertThat(store.reads).isEqualTo(1);
  }

  @Test
  void hint_that_names_a_task_queue_spares_the_poll() {
    store.workers.add("a");
    phase.runOnce(EPOCH);
    store.ready("a", 1);
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).as("no hint, and no time for a poll yet").isZero();
    waiting.hint(List.of(new QueueId('a')));
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
    assertThat(store.polls).isEqualTo(1);
  }

  @Test
  void poll_finds_what_no_hint_named() {
    store.workers.add("a");
    phase.runOnce(EPOCH);
    store.ready("a", 1);
    store.nanos += Duration.ofSeconds(1).toNanos();
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void hint_without_names_makes_the_next_look_poll() {
    store.workers.add("a");
    phase.runOnce(EPOCH);
    store.ready("a", 1);
    waiting.hint(List.of());
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void task_queue_that_is_hinted_while_it_is_read_stays() {
    store.workers.add("a");
    waiting.hint(List.of(new QueueId('a')));
    store.duringRead =
        () -> {
          store.ready("a", 1);
          waiting.hint(List.of(new QueueId('a')));
          store.duringRead = () -> {};
        };
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).as("the read did not see it").isZero();
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void better_task_behind_a_full_read_goes_before_a_worse_one_of_another_queue() {
    store.workers.add("a");
    store.ready("a", 5, 90, 'a');
    store.ready("a", 5, 10, 'b');
    runAll();
    assertThat(store.claimed).containsOnly(new QueueId('a'));
    for (int i = 0; i < 4; i++) {
      roster.over(List.of(store.end("a")));
      runAll();
    }
    assertThat(store.claimed.subList(0, 5)).containsOnly(new QueueId('a'));
    assertThat(store.claimed.get(5)).isEqualTo(new QueueId('b'));
  }

  @Test
  void more_task_queues_than_slots_have_their_turns() {
    store.workers.add("a");
    for (char queue = 'a'; queue < 'k'; queue++) {
      store.ready("a", 3, 50, queue);
    }
    runAll();
    while (store.claimed.size() < 20) {
      roster.over(List.of(store.end("a")));
      runAll();
    }
    assertThat(store.claimed.stream().distinct()).as("each had one").hasSize(10);
  }

  private static TaskQueue queue(String tenant, @Nullable String workflow, @Nullable String key) {
    return new TaskQueue(
        tenant,
        workflow,
        Placement.inPool("a"),
        key == null ? null : new Concurrency(key, 1, OnConflict.QUEUE),
        null);
  }

  @Test
  void key_is_never_held_by_more_tasks_than_its_limit_and_hides_nobody() {
    store.workers.add("a");
    store.specs.put(new QueueId('k'), queue("default", null, "key"));
    store.specs.put(new QueueId('l'), queue("default", "w", "key"));
    store.ready("a", 50, 90, 'k');
    store.ready("a", 50, 80, 'l');
    store.ready("a", 1, 10, 'z');
    runAll();
    assertThat(store.claimed).containsExactly(new QueueId('k'), new QueueId('z'));
    roster.over(List.of(store.end("a")));
    runAll();
    assertThat(store.claimed).as("a freed place wakes who waits for it").hasSize(3);
    assertThat(store.active("a")).isEqualTo(2);
  }

  @Test
  void tasks_that_do_not_want_to_wait_for_a_key_are_looked_after_once_it_is_full() {
    store.workers.add("a");
    var key = new Concurrency("key", 1, OnConflict.CANCEL_NEW);
    store.specs.put(
        new QueueId('k'), new TaskQueue("default", null, Placement.inPool("a"), key, null));
    store.ready("a", 3, 50, 'k');
    runAll();
    phase.runOnce(EPOCH);
    assertThat(bank.full)
        .containsOnly(new FullKey(new QueueId('k'), 1, Set.of(new QueueId('k'))))
        .isNotEmpty();
    assertThat(waiting.known()).as("none is left").isEmpty();
  }

  @Test
  void holders_are_asked_once_for_the_tasks_that_want_their_places_though_no_slot_is_free() {
    store.workers.add("a");
    var key = new Concurrency("key", SLOTS, OnConflict.CANCEL_RUNNING);
    store.specs.put(
        new QueueId('k'), new TaskQueue("default", null, Placement.inPool("a"), key, null));
    store.ready("a", 5, 50, 'k');
    runAll();
    assertThat(store.active("a")).isEqualTo(SLOTS);
    phase.runOnce(EPOCH);
    phase.runOnce(EPOCH);
    assertThat(bank.full)
        .containsExactly(new FullKey(new QueueId('k'), SLOTS, Set.of(new QueueId('k'))));
  }

  @Test
  void rate_limit_starts_what_its_tokens_allow_and_goes_on_when_the_next_is_due() {
    store.workers.add("a");
    var rate = new RateLimit("api", 1, Duration.ofSeconds(1));
    store.specs.put(
        new QueueId('r'), new TaskQueue("default", null, Placement.inPool("a"), null, rate));
    store.ready("a", 5, 90, 'r');
    store.ready("a", 1, 10, 'z');
    runAll();
    assertThat(store.claimed).containsExactly(new QueueId('r'), new QueueId('z'));
    assertThat(phase.nextDue().orElseThrow())
        .isBetween(Duration.ofMillis(999), Duration.ofSeconds(1));
    roster.over(List.of(store.end("a"), store.end("a")));
    runAll();
    assertThat(store.claimed).as("it has no token").hasSize(2);
    bank.nanos += Duration.ofSeconds(1).toNanos();
    runAll();
    assertThat(store.claimed).hasSize(3);
  }

  @Test
  void limits_that_change_count_at_once() {
    store.workers.add("a");
    store.specs.put(new QueueId('t'), queue("acme", "etl", null));
    store.declared = limits(2, Map.of("acme", 1), Map.of());
    store.ready("a", 50, 50, 't');
    runAll();
    assertThat(store.active("a")).isEqualTo(1);
    store.declared = limits(3, Map.of(), Map.of(new OfTenant("acme", "etl"), 2));
    store.nanos += Duration.ofSeconds(1).toNanos();
    runAll();
    assertThat(store.active("a")).isEqualTo(2);
    store.declared = limits(4, Map.of(), Map.of(new OfTenant("acme", "etl"), 1));
    store.nanos += Duration.ofSeconds(1).toNanos();
    roster.over(List.of(store.end("a")));
    runAll();
    assertThat(store.active("a")).as("lowered").isEqualTo(1);
  }

  @Test
  void hint_makes_the_next_round_obey_what_is_declared_now() {
    store.workers.add("a");
    store.specs.put(new QueueId('t'), queue("acme", "etl", null));
    store.declared = limits(2, Map.of("acme", 1), Map.of());
    store.ready("a", 50, 50, 't');
    runAll();
    store.declared = limits(3, Map.of("acme", 2), Map.of());
    runAll();
    assertThat(store.active("a")).as("no hint, and no time for a look yet").isEqualTo(1);
    rules.hint();
    runAll();
    assertThat(store.active("a")).isEqualTo(2);
  }

  private static Declared limits(
      long version, Map<String, Integer> tenants, Map<OfTenant, Integer> workflows) {
    return new Declared(
        version, List.of(), List.of(), new Limits(Map.of(), tenants, workflows), Map.of());
  }

  @Test
  void dispatches_of_workers_that_are_away_hold_their_places() {
    store.workers.add("a");
    store.specs.put(new QueueId('k'), queue("default", null, "key"));
    var away = new DispatchId(new UUID(8, 8));
    store.running.put(
        away, DispatchDatabase.holds(away, new WorkerId(new UUID(8, 9)), new QueueId('k')));
    store.ready("a", 5, 90, 'k');
    runAll();
    assertThat(store.claimed).isEmpty();
  }

  @Test
  void tenants_share_by_weight_however_many_task_queues_one_has() {
    store.workers.add("a");
    store.declared =
        new Declared(2, List.of(), List.of(), Limits.NONE, Map.of("large", 1, "small", 3));
    for (char name = 1; name <= 60; name++) {
      store.specs.put(new QueueId(name), queue("large", "w" + (int) name, null));
      store.ready("a", 50, 50, name);
    }
    store.specs.put(new QueueId('z'), queue("small", null, null));
    store.ready("a", 500, 50, 'z');
    runAll();
    while (store.claimed.size() < 400) {
      roster.over(List.of(store.end("a")));
      runAll();
    }
    assertThat(store.claimed.stream().filter(new QueueId('z')::equals).count())
        .isBetween(295L, 305L);
  }

  /** A claim that succeeds wakes the tick while more tasks wait. */
  private void runAll() {
    for (int offered = 1; offered > 0; ) {
      offered = phase.runOnce(EPOCH);
    }
  }
}
