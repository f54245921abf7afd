package dev.belay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetriesTest {

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void what_succeeded_is_kept_and_what_failed_is_tried_again(TaskState state) {
    if (!state.isTerminal()) {
      assertThatIllegalArgumentException().isThrownBy(() -> Retries.resets(state, true));
      return;
    }
    boolean kept = state == TaskState.SUCCEEDED || state == TaskState.SKIPPED;
    assertThat(Retries.resets(state, true)).isEqualTo(!kept);
    assertThat(Retries.resets(state, false)).isEqualTo(state != TaskState.SUCCEEDED);
    assertThat(TaskTransitions.allows(state, TaskState.WAITING)).isTrue();
  }
}
