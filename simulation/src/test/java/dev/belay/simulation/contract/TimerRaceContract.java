package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.DueTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A timer fires, and somebody else writes about its task. */
abstract class TimerRaceContract extends RaceContract {

  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(3);

  TimerRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void timer_behind_a_cancel_does_not_fire() {
    inEveryWay(
        stage -> {
          var task = TimerContract.submit(stage, DueTime.after(DELAY), null);
          stage.clock.step(DELAY);
          var raced =
              stage.race(Contended.task(task), () -> stage.cancel(task), () -> stage.promote());
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task)).containsExactly("PENDING delayed", "CANCELLED cancelled");
        });
  }

  @Test
  void of_two_leaders_turns_one_fires_a_timer() {
    inEveryWay(
        stage -> {
          var task = TimerContract.submit(stage, DueTime.after(DELAY), null);
          stage.clock.step(DELAY);
          var raced =
              stage.race(Contended.task(task), () -> stage.promote(), () -> stage.promote());
          assertThat(raced.first() + raced.second()).isEqualTo(1);
          assertThat(stage.path(task)).containsExactly("PENDING delayed", "SCHEDULED due");
        });
  }

  @Test
  void end_of_a_wait_behind_a_cancel_is_none() {
    inEveryWay(
        stage -> {
          stage.runs.register("name: w\ntasks: [{name: a, wait: {for: 1s}}]");
          var run = stage.runs.started();
          var task = stage.runs.task(run, "a");
          stage.clock.step(DELAY);
          var raced =
              stage.race(Contended.task(task), () -> stage.cancel(task), () -> stage.promote());
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task)).containsExactly("DEFERRED waiting", "CANCELLED cancelled");
        });
  }

  /** The batch waits for the first of two tasks; meanwhile the other is tried, and fails. */
  @Test
  void timer_looks_at_the_time_again_behind_its_lock() {
    inEveryWay(
        stage -> {
          var first = TimerContract.submit(stage, DueTime.after(DELAY), null);
          var second = TimerContract.submit(stage, DueTime.after(DELAY), null);
          var worker = stage.newWorker();
          stage.clock.step(LONG);
          stage.race(
              Contended.task(first).onlyBySecond(),
              () -> {
                stage.reaps.replayPending(stage.epoch, 10);
                return stage.heartbeat(stage.claimed(worker, second).exitedAtOnce(1));
              },
              () -> stage.promote());
          assertThat(stage.path(second)).endsWith("RUNNING started", "PENDING exit_code: 1");
        });
  }
}
