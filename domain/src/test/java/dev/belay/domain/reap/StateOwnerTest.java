package dev.belay.domain.reap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state has an owner. A new state does not compile until {@link StateOwner} has it. */
class StateOwnerTest {

  /** Deadlines are optional, so they alone do not bound a state. */
  private static final Set<StateOwner> NOT_ENOUGH =
      EnumSet.of(StateOwner.DEADLINE, StateOwner.RUNNING_AGE);

  @ParameterizedTest
  @EnumSource
  void every_state_of_a_task_that_is_not_terminal_is_looked_after(TaskState state) {
    Set<StateOwner> watches = EnumSet.noneOf(StateOwner.class);
    watches.addAll(StateOwner.over(state));
    watches.removeAll(NOT_ENOUGH);
    assertThat(watches.isEmpty()).as("watched by %s", watches).isEqualTo(state.isTerminal());
  }

  @ParameterizedTest
  @EnumSource
  void every_open_state_of_a_run_is_looked_after(RunState state) {
    assertThat(StateOwner.over(state).isEmpty()).isEqualTo(state.isTerminal());
  }

  @ParameterizedTest
  @EnumSource
  void every_watch_of_the_reaper_has_something_to_look_at(StateOwner watch) {
    boolean used =
        EnumSet.allOf(TaskState.class).stream().anyMatch(s -> StateOwner.over(s).contains(watch))
            || EnumSet.allOf(RunState.class).stream()
                .anyMatch(s -> StateOwner.over(s).contains(watch));
    assertThat(used).isTrue();
  }
}
