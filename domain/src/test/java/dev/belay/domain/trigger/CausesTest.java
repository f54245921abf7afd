package dev.belay.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.TriggerSpec.AfterWorkflow;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CausesTest {

  private static final AfterWorkflow ON_FAILURE =
      new AfterWorkflow("t", "w", Set.of(RunState.FAILED), Map.of());

  @Test
  void end_that_the_trigger_waits_for_starts_a_run() {
    assertThat(Causes.ofEnd(ON_FAILURE, RunState.FAILED, TargetState.OPEN, 100, 100)).isEmpty();
    assertThat(Causes.ofEnd(ON_FAILURE, RunState.SUCCEEDED, TargetState.OPEN, 1, 100))
        .contains(SkipReason.ON);
  }

  @Test
  void each_obstacle_has_its_reason() {
    assertThat(Causes.ofCause(TargetState.OPEN, 101, 100)).contains(SkipReason.DEPTH);
    assertThat(Causes.ofCause(new TargetState(false, false, true), 101, 100))
        .contains(SkipReason.TRIGGER_PAUSED);
    assertThat(Causes.ofCause(new TargetState(false, true, true), 1, 100))
        .contains(SkipReason.PAUSED);
    assertThat(Causes.ofCause(new TargetState(true, true, true), 1, 100))
        .contains(SkipReason.DELETED);
  }
}
