package dev.belay.domain.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AbortReasonTest {

  private final RetryDecision retries = new RetryDecision(new Random(1));

  @ParameterizedTest
  @CsvSource({
    "cancelled, CANCELLED",
    "graceful_shutdown, SCHEDULED",
    "cooperative_preemption, SCHEDULED",
    "preemption_timeout, SCHEDULED",
    "hard_cap_exceeded, FAILED",
    "cost_limit_reached, BLOCKED",
    "deadline_passed, TIMEOUT",
    "running_too_long, TIMEOUT",
    "run_timeout, TIMEOUT"
  })
  void a_reason_leads_to_its_state(String word, TaskState state) {
    assertThat(AbortReason.of(word).orElseThrow().leadsTo()).isEqualTo(state);
  }

  @ParameterizedTest
  @EnumSource
  void the_reason_decides_however_the_attempt_ends_unless_it_succeeds(AbortReason reason) {
    var none = new Tries(1, 0, 0, 0, 0, 0);
    for (Outcome outcome :
        List.of(
            Outcome.Exited.of(1),
            Outcome.Exited.of(143),
            new Outcome.TimedOut(Duration.ofSeconds(1)),
            new Outcome.Aborted("graceful_shutdown"),
            new Outcome.StartFailed("no such file"),
            new Outcome.Refused("full"),
            new Outcome.Lost("agent_lost", Duration.ofSeconds(65)))) {
      assertThat(retries.decide(outcome, RunPolicy.DEFAULT, reason.word(), none))
          .as("%s", outcome)
          .isEqualTo(new NextState(reason.leadsTo(), reason.word(), Category.NONE, Duration.ZERO));
    }
    assertThat(retries.decide(Outcome.Exited.of(0), RunPolicy.DEFAULT, reason.word(), none).to())
        .isEqualTo(TaskState.SUCCEEDED);
  }

  @ParameterizedTest
  @EnumSource
  void what_a_reason_does_to_a_task_is_legal(AbortReason reason) {
    for (TaskState state : TaskState.values()) {
      if (state.isActive()) {
        assertThat(TaskTransitions.allows(state, reason.leadsTo())).as("%s", state).isTrue();
      }
      if (state.kind() == TaskState.Kind.IDLE) {
        reason
            .appliesTo(state)
            .ifPresent(
                to -> assertThat(TaskTransitions.allows(state, to)).as("%s", state).isTrue());
      }
    }
  }

  @Test
  void a_reason_that_gives_back_has_nothing_to_do_with_an_idle_task() {
    for (AbortReason reason : AbortReason.values()) {
      for (TaskState state : TaskState.values()) {
        assertThat(reason.givesBack() && reason.appliesTo(state).isPresent()).isFalse();
      }
    }
  }
}
