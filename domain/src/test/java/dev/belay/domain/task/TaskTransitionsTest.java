package dev.belay.domain.task;

import static dev.belay.domain.task.TaskState.DISPATCHED;
import static dev.belay.domain.task.TaskState.FAILED;
import static dev.belay.domain.task.TaskState.OUTPUT_QUARANTINED;
import static dev.belay.domain.task.TaskState.PENDING;
import static dev.belay.domain.task.TaskState.RUNNING;
import static dev.belay.domain.task.TaskState.SCHEDULED;
import static dev.belay.domain.task.TaskState.SUCCEEDED;
import static dev.belay.domain.task.TaskState.TIMEOUT;
import static dev.belay.domain.task.TaskState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TaskTransitionsTest {

  @Test
  void terminal_is_final_but_for_quarantine_and_a_person() {
    for (TaskState from : TaskState.TERMINAL) {
      for (TaskState to : TaskState.values()) {
        boolean quarantine =
            (from == SUCCEEDED && to == OUTPUT_QUARANTINED)
                || (from == OUTPUT_QUARANTINED && to == SUCCEEDED);
        boolean cleared = to == WAITING || to == PENDING;
        assertThat(TaskTransitions.allows(from, to))
            .as(from + " to " + to)
            .isEqualTo(quarantine || cleared);
      }
    }
  }

  @Test
  void a_late_success_or_a_mark_may_end_a_task_that_waits_again() {
    assertThat(TaskTransitions.allows(PENDING, SUCCEEDED)).isTrue();
    assertThat(TaskTransitions.allows(SCHEDULED, SUCCEEDED)).isTrue();
    assertThat(TaskTransitions.allows(DISPATCHED, SUCCEEDED)).isTrue();
    assertThat(TaskTransitions.allows(WAITING, SUCCEEDED)).isFalse();
  }

  @Test
  void the_guard_of_a_write_comes_from_the_table_without_the_steps_of_a_person() {
    assertThat(TaskTransitions.sourcesOf(DISPATCHED)).containsExactly(SCHEDULED);
    assertThat(TaskTransitions.sourcesOf(RUNNING)).containsExactly(DISPATCHED);
    assertThat(TaskTransitions.sourcesOf(PENDING)).noneMatch(TaskState::isTerminal);
    assertThat(TaskTransitions.sourcesOf(FAILED)).contains(RUNNING, DISPATCHED, WAITING);
  }

  @Test
  void every_open_state_can_end_by_time() {
    for (TaskState state : TaskState.values()) {
      assertThat(TaskTransitions.allows(state, TIMEOUT))
          .as(state.name())
          .isEqualTo(!state.isTerminal());
    }
  }

  @Test
  void an_illegal_step_is_a_bug() {
    assertThatThrownBy(() -> TaskTransitions.require(SUCCEEDED, RUNNING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SUCCEEDED")
        .hasMessageContaining("RUNNING");
  }
}
