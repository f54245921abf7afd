package dev.belay.domain.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(7);
  private static final WaitFacts.Leader LEADER = new WaitFacts.Leader("one", true, NOW);

  @Test
  void without_a_leader_nothing_is_started() {
    var last = new WaitFacts.Leader("one", false, NOW.minusSeconds(30));
    var wait = scheduled(new WaitFacts(NOW, last));

    assertThat(wait.reason()).isEqualTo(WaitReason.NO_LEADER);
    assertThat(wait.detail()).contains("the last leader was one");
    assertThat(wait.since()).isEqualTo(NOW.minusSeconds(30));
  }

  @Test
  void a_retry_and_a_fence_say_until_when() {
    Instant later = NOW.plusSeconds(9);
    var retry = task(TaskState.PENDING, later, null, null);
    var fenced = task(TaskState.SCHEDULED, null, later, null);

    assertThat(of(retry, facts()).reason()).isEqualTo(WaitReason.RETRY);
    assertThat(of(retry, facts()).until()).isEqualTo(later);
    assertThat(of(fenced, facts()).reason()).isEqualTo(WaitReason.LEASE_HELD);
    assertThat(of(fenced, facts()).until()).isEqualTo(later);
  }

  @Test
  void a_delayed_task_and_a_wait_task_say_until_when() {
    Instant later = NOW.plusSeconds(9);
    var delayed = untried(TaskState.PENDING, later);
    var deferred = untried(TaskState.DEFERRED, later);

    assertThat(of(delayed, facts()))
        .isEqualTo(new Wait(WaitReason.TIME, "is delayed", BEFORE, later));
    assertThat(of(deferred, facts()))
        .isEqualTo(
            new Wait(WaitReason.TIME, "waits for its time and needs no worker", BEFORE, later));
    assertThat(of(untried(TaskState.DEFERRED, null), facts()).reason()).isEqualTo(WaitReason.EVENT);
    assertThat(of(untried(TaskState.DEFERRED, NOW), facts()).reason())
        .as("the leader ends it in a moment")
        .isEqualTo(WaitReason.SCHEDULER);
    assertThat(of(untried(TaskState.PENDING, NOW), facts()).reason())
        .isEqualTo(WaitReason.SCHEDULER);
  }

  private static WaitingTask untried(TaskState state, @Nullable Instant notBefore) {
    return new WaitingTask(state, BEFORE, notBefore, null, false, null, List.of());
  }

  @Test
  void a_task_names_the_tasks_it_waits_for_but_first_what_holds_its_run() {
    var running = new RunTurn(RunState.RUNNING, "etl", BEFORE, NOW, null, 1);
    assertThat(of(task(TaskState.WAITING, null, null, running, "a", "b"), facts()))
        .isEqualTo(new Wait(WaitReason.DEPENDENCIES, "waits for a, b", BEFORE, null));

    var paused = new RunTurn(RunState.QUEUED, "etl", BEFORE, NOW.minusSeconds(60), 1, 1);
    assertThat(of(task(TaskState.WAITING, null, null, paused, "a"), facts()))
        .isEqualTo(
            new Wait(
                WaitReason.PAUSED,
                "workflow etl is paused (belay resume etl)",
                NOW.minusSeconds(60),
                null));

    var full = new RunTurn(RunState.QUEUED, "etl", BEFORE, null, 2, 2);
    assertThat(Waits.ofRun(full, facts()).orElseThrow().detail())
        .isEqualTo("2 of 2 runs of etl are RUNNING (max_active)");
  }

  @Test
  void what_a_worker_holds_and_what_is_over_does_not_wait() {
    for (TaskState state : TaskState.values()) {
      boolean waits = Waits.ofTask(task(state, null, null, null), facts()).isPresent();
      assertThat(waits).as(state.name()).isEqualTo(!state.isActive() && !state.isTerminal());
    }
  }

  private static Wait scheduled(WaitFacts facts) {
    return of(task(TaskState.SCHEDULED, null, null, null), facts);
  }

  private static Wait of(WaitingTask task, WaitFacts facts) {
    return Waits.ofTask(task, facts).orElseThrow();
  }

  private static WaitFacts facts() {
    return new WaitFacts(NOW, LEADER);
  }

  private static WaitingTask task(
      TaskState state,
      @Nullable Instant notBefore,
      @Nullable Instant leaseEndsAt,
      @Nullable RunTurn turn,
      String... dependencies) {
    return new WaitingTask(
        state, BEFORE, notBefore, leaseEndsAt, true, turn, List.of(dependencies));
  }
}
