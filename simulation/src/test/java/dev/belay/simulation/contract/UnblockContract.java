package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.UnblockRaceContract.UNAVAILABLE;
import static dev.belay.simulation.contract.UnblockRaceContract.again;
import static dev.belay.simulation.contract.UnblockRaceContract.blocked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A task that ran out of retries for what is unavailable. */
abstract class UnblockContract extends Contract {

  UnblockContract(Ground ground) {
    super(ground);
  }

  @Test
  void retries_are_counted_until_it_is_blocked_and_anew_once_it_is_unblocked() {
    var first = stage.running(UNAVAILABLE);
    stage.heartbeat(first.exited(75));
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).hasValue(Duration.ofMinutes(2));
    stage.clock.step(Duration.ofMinutes(2));
    var second = again(stage, first);
    stage.heartbeat(second.exited(75));
    assertThat(stage.path(first.task())).endsWith("BLOCKED unavailable: exit_code 75");
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).isEmpty();
    assertThat(stage.intake.unblockTask(first.task())).isTrue();
    assertThat(stage.intake.unblockTask(first.task())).isFalse();
    var third = again(stage, first);
    stage.heartbeat(third.exited(75));
    assertThat(stage.path(first.task()))
        .endsWith(
            "BLOCKED unavailable: exit_code 75",
            "PENDING unblocked",
            "SCHEDULED due",
            "DISPATCHED claimed",
            "RUNNING started",
            "PENDING unavailable: exit_code 75");
  }

  @Test
  void repeated_result_of_a_blocked_task_is_a_duplicate() {
    var task = blocked(stage);
    assertThat(stage.heartbeat(task.exited(75))).containsExactly(Answer.DUPLICATE);
    stage.intake.unblockTask(task.task());
    assertThat(stage.heartbeat(task.exited(75))).containsExactly(Answer.DUPLICATE);
    assertThat(stage.state(task.task())).isEqualTo(TaskState.PENDING);
  }
}
