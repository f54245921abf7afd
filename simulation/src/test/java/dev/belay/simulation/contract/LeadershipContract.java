package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import org.junit.jupiter.api.Test;

/** One leads, and whoever led before cannot write. */
abstract class LeadershipContract extends Contract {

  LeadershipContract(Ground ground) {
    super(ground);
  }

  @Test
  void one_leads_until_it_resigns() {
    var first = stage.election("r1");
    var second = stage.election("r2");
    assertThat(first.renew()).isFalse();
    assertThat(first.campaign()).hasValue(new Epoch(1));
    assertThat(second.campaign()).isEmpty();
    assertThat(second.renew()).isFalse();
    assertThat(first.renew()).isTrue();
    first.resign();
    assertThat(first.renew()).isFalse();
    assertThat(second.campaign()).hasValue(new Epoch(2));
    assertThat(second.renew()).isTrue();
    assertThat(first.campaign()).isEmpty();
    first.resign();
    assertThat(second.renew()).isTrue();
    second.resign();
    second.resign();
    assertThat(first.campaign()).hasValue(new Epoch(3));
  }

  @Test
  void whoever_led_before_writes_nothing_more() {
    var first = stage.election("r1");
    stage.epoch = first.campaign().orElseThrow();
    var task = stage.submit(RETRIES);
    var worker = stage.newWorker();
    stage.claimed(worker, stage.submit(RETRIES));
    first.resign();
    // Nobody leads: what it was about to write is still true.
    stage.claimed(worker, stage.submit(RETRIES));
    var next = stage.election("r2").campaign().orElseThrow();
    assertThatThrownBy(() -> stage.claim(worker, stage.claimOf(task))).isInstanceOf(Deposed.class);
    stage.epoch = next;
    stage.claimed(worker, task);
    assertThat(stage.state(task)).isEqualTo(TaskState.DISPATCHED);
  }

  @Test
  void claim_that_finds_nothing_says_whether_it_was_deposed() {
    var task = stage.submit(RETRIES);
    stage.cancel(task);
    assertThat(stage.claim(stage.newWorker(), stage.claimOf(task))).isEmpty();
    var worker = stage.newWorker();
    stage.election("r2").campaign();
    assertThatThrownBy(() -> stage.claim(worker, stage.claimOf(task))).isInstanceOf(Deposed.class);
  }
}
