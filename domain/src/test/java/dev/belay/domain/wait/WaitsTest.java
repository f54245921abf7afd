package dev.belay.domain.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(7);
  private static final WaitFacts.Leader LEADER = new WaitFacts.Leader("one", true, NOW);

  @Test
  void without_a_worker_it_says_so_and_names_those_that_are_away() {
    assertThat(scheduled(facts(List.of())).detail()).isEqualTo("no worker is connected");

    var away = new WaitFacts.Absent("w1", Set.of("default"), WaitFacts.Why.DISCONNECTED);
    var wait = scheduled(new WaitFacts(NOW, LEADER, List.of(), List.of(away)));
    assertThat(wait.reason()).isEqualTo(WaitReason.NO_WORKER);
    assertThat(wait.detail()).isEqualTo("no worker is connected (not connected: w1)");
    assertThat(wait.since()).isEqualTo(BEFORE);

    var full = new WaitFacts.Absent("w2", Set.of("default"), WaitFacts.Why.TROUBLED);
    assertThat(scheduled(new WaitFacts(NOW, LEADER, List.of(), List.of(away, full))).detail())
        .isEqualTo("no worker takes work (in trouble: w2; not connected: w1)");
  }

  @Test
  void a_pool_without_a_worker_is_named_with_the_pools_that_have_one() {
    var drains = new WaitFacts.Absent("w2", Set.of("default"), WaitFacts.Why.DRAINING);
    var wait =
        scheduled(new WaitFacts(NOW, LEADER, List.of(worker(1, 2, 0, "gpu")), List.of(drains)));

    assertThat(wait.reason()).isEqualTo(WaitReason.NO_WORKER_OF_POOL);
    assertThat(wait.detail())
        .isEqualTo(
            "no worker of pool default takes work (draining: w2); connected workers have gpu");
  }

  @Test
  void busy_slots_are_counted() {
    var wait =
        scheduled(facts(List.of(worker(1, 2, 2, "default"), worker(2, 1, 1, "default", "gpu"))));

    assertThat(wait.reason()).isEqualTo(WaitReason.SLOTS_BUSY);
    assertThat(wait.detail()).isEqualTo("all slots of pool default are busy (3 of 3)");
  }

  @Test
  void without_a_leader_nothing_is_started_whatever_the_workers() {
    var last = new WaitFacts.Leader("one", false, NOW.minusSeconds(30));
    var wait = scheduled(new WaitFacts(NOW, last, List.of(worker(1, 2, 0, "default")), List.of()));

    assertThat(wait.reason()).isEqualTo(WaitReason.NO_LEADER);
    assertThat(wait.detail()).contains("the last leader was one");
    assertThat(wait.since()).isEqualTo(NOW.minusSeconds(30));
  }

  @Test
  void a_retry_and_a_fence_say_until_when() {
    Instant later = NOW.plusSeconds(9);
    var retry = task(TaskState.PENDING, later, null, null);
    var fenced = task(TaskState.SCHEDULED, null, later, null);

    assertThat(of(retry, facts(List.of())).reason()).isEqualTo(WaitReason.RETRY);
    assertThat(of(retry, facts(List.of())).until()).isEqualTo(later);
    assertThat(of(fenced, facts(List.of())).reason()).isEqualTo(WaitReason.LEASE_HELD);
    assertThat(of(fenced, facts(List.of())).until()).isEqualTo(later);
  }

  @Test
  void a_delayed_task_and_a_wait_task_say_until_when() {
    Instant later = NOW.plusSeconds(9);
    var delayed = untried(TaskState.PENDING, later);
    var deferred = untried(TaskState.DEFERRED, later);

    assertThat(of(delayed, facts(List.of())))
        .isEqualTo(new Wait(WaitReason.TIME, "is delayed", BEFORE, later));
    assertThat(of(deferred, facts(List.of())))
        .isEqualTo(
            new Wait(WaitReason.TIME, "waits for its time and needs no worker", BEFORE, later));
    assertThat(of(untried(TaskState.DEFERRED, null), facts(List.of())).reason())
        .isEqualTo(WaitReason.EVENT);
    assertThat(of(untried(TaskState.DEFERRED, NOW), facts(List.of())).reason())
        .as("the leader ends it in a moment")
        .isEqualTo(WaitReason.SCHEDULER);
    assertThat(of(untried(TaskState.PENDING, NOW), facts(List.of())).reason())
        .isEqualTo(WaitReason.SCHEDULER);
  }

  private static WaitingTask untried(TaskState state, @Nullable Instant notBefore) {
    return new WaitingTask(state, "default", BEFORE, notBefore, null, false, null, List.of());
  }

  @Test
  void a_task_names_the_tasks_it_waits_for_but_first_what_holds_its_run() {
    var running = new RunTurn(RunState.RUNNING, "etl", BEFORE, NOW, null, 1);
    assertThat(of(task(TaskState.WAITING, null, null, running, "a", "b"), facts(List.of())))
        .isEqualTo(new Wait(WaitReason.DEPENDENCIES, "waits for a, b", BEFORE, null));

    var paused = new RunTurn(RunState.QUEUED, "etl", BEFORE, NOW.minusSeconds(60), 1, 1);
    assertThat(of(task(TaskState.WAITING, null, null, paused, "a"), facts(List.of())))
        .isEqualTo(
            new Wait(
                WaitReason.PAUSED,
                "workflow etl is paused (belay resume etl)",
                NOW.minusSeconds(60),
                null));

    var full = new RunTurn(RunState.QUEUED, "etl", BEFORE, null, 2, 2);
    assertThat(Waits.ofRun(full, facts(List.of())).orElseThrow().detail())
        .isEqualTo("2 of 2 runs of etl are RUNNING (max_active)");
  }

  @Test
  void what_a_worker_holds_and_what_is_over_does_not_wait() {
    for (TaskState state : TaskState.values()) {
      boolean waits = Waits.ofTask(task(state, null, null, null), facts(List.of())).isPresent();
      assertThat(waits).as(state.name()).isEqualTo(!state.isActive() && !state.isTerminal());
    }
  }

  /** Reports a missing slot exactly when the dispatcher would find none. */
  @Test
  void it_agrees_with_the_routing_of_the_dispatcher_in_every_world() {
    var random = new Random(5);
    for (int world = 0; world < 2_000; world++) {
      List<Routing.Worker> workers = new ArrayList<>();
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        int slots = 1 + random.nextInt(3);
        String[] pools = random.nextBoolean() ? new String[] {"gpu"} : new String[] {"default"};
        workers.add(worker(i, slots, random.nextInt(slots + 2), pools));
      }
      var candidate = new Routing.Candidate(new TaskId(new UUID(1, 1)), "default", 0);
      boolean placed = !Routing.assign(List.of(candidate), workers).isEmpty();

      var said = scheduled(facts(workers)).reason();

      assertThat(said == WaitReason.SCHEDULER).as(workers + " " + said).isEqualTo(placed);
      assertThat(said == WaitReason.NO_WORKER).isEqualTo(workers.isEmpty());
    }
  }

  private static Wait scheduled(WaitFacts facts) {
    return of(task(TaskState.SCHEDULED, null, null, null), facts);
  }

  private static Wait of(WaitingTask task, WaitFacts facts) {
    return Waits.ofTask(task, facts).orElseThrow();
  }

  private static WaitFacts facts(List<Routing.Worker> workers) {
    return new WaitFacts(NOW, LEADER, workers, List.of());
  }

  private static WaitingTask task(
      TaskState state,
      @Nullable Instant notBefore,
      @Nullable Instant leaseEndsAt,
      @Nullable RunTurn turn,
      String... dependencies) {
    return new WaitingTask(
        state, "default", BEFORE, notBefore, leaseEndsAt, true, turn, List.of(dependencies));
  }

  private static Routing.Worker worker(int id, int slots, int active, String... pools) {
    return new Routing.Worker(
        new WorkerId(new UUID(2, id)),
        new SessionId(new UUID(3, id)),
        Set.of(pools),
        slots,
        active);
  }
}
