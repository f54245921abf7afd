package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Somebody unblocks a task, and somebody else writes about it. */
abstract class UnblockRaceContract extends RaceContract {

  /** Retried once, two minutes later. */
  static final RunPolicy UNAVAILABLE =
      new RunPolicy(
          new RetryPolicy(0, RetryPolicy.Backoff.DEFAULT, 0, 0, 1, null),
          Map.of(75, ExitMeaning.UNAVAILABLE),
          null);

  UnblockRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void of_two_who_unblock_one_does() {
    inEveryWay(
        stage -> {
          var task = blocked(stage);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.intake.unblockTask(task.task()),
                  () -> stage.intake.unblockTask(task.task()));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isFalse();
          assertThat(stage.path(task.task())).endsWith("PENDING unblocked");
        });
  }

  @Test
  void unblock_behind_a_cancel_is_refused() {
    inEveryWay(
        stage -> {
          var task = blocked(stage);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.cancel(task.task()),
                  () -> stage.intake.unblockTask(task.task()));
          assertThat(raced.second()).isFalse();
          assertThat(stage.path(task.task())).endsWith("CANCELLED cancelled");
        });
  }

  @Test
  void cancel_behind_an_unblock_cancels_what_is_pending() {
    inEveryWay(
        stage -> {
          var task = blocked(stage);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.intake.unblockTask(task.task()),
                  () -> stage.cancel(task.task()));
          assertThat(raced.first()).isTrue();
          assertThat(stage.path(task.task())).endsWith("PENDING unblocked", "CANCELLED cancelled");
        });
  }

  @Test
  void unblock_behind_the_result_that_blocks_resumes_it() {
    inEveryWay(
        stage -> {
          var first = stage.running(UNAVAILABLE);
          stage.heartbeat(first.exited(75));
          stage.clock.step(Duration.ofMinutes(2));
          var second = again(stage, first);
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.heartbeat(second.exited(75)),
                  () -> stage.intake.unblockTask(first.task()));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isTrue();
          assertThat(stage.path(first.task()))
              .endsWith("BLOCKED unavailable: exit_code 75", "PENDING unblocked");
        });
  }

  static Dispatched blocked(Stage stage) {
    var first = stage.running(UNAVAILABLE);
    stage.heartbeat(first.exited(75));
    stage.clock.step(Duration.ofMinutes(2));
    var second = again(stage, first);
    stage.heartbeat(second.exited(75));
    assertThat(stage.state(first.task())).isEqualTo(TaskState.BLOCKED);
    return second;
  }

  /** The next attempt of a task that is due. */
  static Dispatched again(Stage stage, Dispatched before) {
    assertThat(stage.promote()).isEqualTo(1);
    var claim = stage.claimOf(before.task());
    assertThat(stage.claim(before.to(), claim)).containsExactly(before.task());
    var next = new Dispatched(before.task(), claim.dispatch(), before.to());
    assertThat(stage.heartbeat(next.started())).containsExactly(Answer.APPLIED);
    return next;
  }
}
