package dev.belay.domain.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.Unique.Hold;
import dev.belay.domain.spec.Unique.Scope;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UniqueTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void key_is_held_in_the_states_of_its_scope(TaskState state) {
    boolean idle = state.kind() == TaskState.Kind.IDLE;
    var queued = new Hold(Scope.QUEUED, null);
    assertThat(queued.lasts(state, true, NOW)).isEqualTo(idle);
    assertThat(queued.lasts(state, false, NOW)).isFalse();
    var unfinished = new Hold(Scope.UNFINISHED, null);
    assertThat(unfinished.lasts(state, false, NOW)).isEqualTo(!state.isTerminal());
    assertThat(new Hold(Scope.FOR, NOW.plusMillis(1)).lasts(state, false, NOW)).isTrue();
    assertThat(new Hold(Scope.FOR, NOW).lasts(state, true, NOW)).isFalse();
  }

  @Test
  void removed_task_holds_only_its_time() {
    assertThat(new Hold(Scope.QUEUED, null).lasts(null, true, NOW)).isFalse();
    assertThat(new Hold(Scope.UNFINISHED, null).lasts(null, true, NOW)).isFalse();
    assertThat(new Hold(Scope.FOR, NOW.plusMillis(1)).lasts(null, true, NOW)).isTrue();
  }
}
