package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.PromiseContract.timeOut;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A run times out, and somebody else writes about it: it has one end. */
abstract class PromiseRaceContract extends RaceContract {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  PromiseRaceContract(Ground ground) {
    super(ground);
  }

  private static RunId overTime(Stage stage) {
    stage.runs.registerOne("{timeout: 10s}");
    var run = stage.runs.started();
    stage.clock.step(LIMIT);
    return run;
  }

  @Test
  void timeout_behind_the_end_of_the_run_is_none() {
    inEveryWay(
        stage -> {
          var run = overTime(stage);
          stage.runs.finish(run, "a", 0);
          var end = stage.runs.intend(run);
          var raced = stage.race(Contended.run(run), end::apply, () -> timeOut(stage));
          assertThat(raced.first().ended()).containsKey(run);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
        });
  }

  /** All its tasks have ended by themselves, so nothing was cut short. */
  @Test
  void end_of_the_run_behind_its_timeout_stays_as_its_tasks_ended() {
    inEveryWay(
        stage -> {
          var run = overTime(stage);
          stage.runs.finish(run, "a", 0);
          var end = stage.runs.intend(run);
          var raced = stage.race(Contended.run(run), () -> timeOut(stage), end::apply);
          assertThat(raced.first()).containsExactly(run);
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
        });
  }

  @Test
  void of_two_leaders_turns_one_times_the_run_out() {
    inEveryWay(
        stage -> {
          var run = overTime(stage);
          var raced = stage.race(Contended.run(run), () -> timeOut(stage), () -> timeOut(stage));
          assertThat(raced.first()).containsExactly(run);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.runs.marked()).containsExactly(run);
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "FAILED");
        });
  }

  @Test
  void timeout_behind_a_cancel_is_none() {
    inEveryWay(
        stage -> {
          var run = overTime(stage);
          var raced =
              stage.race(Contended.run(run), () -> stage.runs.cancel(run), () -> timeOut(stage));
          assertThat(raced.second()).isEmpty();
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "CANCELLED");
        });
  }

  @Test
  void cancel_behind_a_timeout_is_none() {
    inEveryWay(
        stage -> {
          var run = overTime(stage);
          var raced =
              stage.race(Contended.run(run), () -> timeOut(stage), () -> stage.runs.cancel(run));
          assertThat(raced.first()).containsExactly(run);
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "FAILED");
        });
  }

  @Test
  void cancel_behind_a_timeout_leaves_the_attempt_its_reason() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{timeout: 10s}");
          var run = stage.runs.started();
          var active = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          stage.clock.step(LIMIT);
          stage.race(Contended.run(run), () -> timeOut(stage), () -> stage.runs.cancel(run));
          stage.runs.plan();
          assertThat(stage.abortReason(active)).isEqualTo("run_timeout");
          stage.heartbeat(active.exitedAtOnce(143));
          stage.runs.plan();
          assertThat(stage.path(stage.runs.task(run, "a"))).endsWith("TIMEOUT run_timeout");
          assertThat(stage.path(run)).endsWith("FAILED");
        });
  }

  /** The batch waits for the first of two runs; meanwhile the other ends and is started again. */
  @Test
  void timeout_looks_at_the_time_again_behind_its_lock() {
    inEveryWay(
        stage -> {
          var first = overTime(stage);
          var second = stage.runs.started();
          stage.clock.step(LIMIT);
          var raced =
              stage.race(
                  Contended.run(first).onlyBySecond(),
                  () -> {
                    stage.runs.finish(second, "a", 1);
                    stage.runs.intend(second).apply();
                    assertThat(stage.intake.retryRun(second)).isTrue();
                    return stage.runs.intend(second).apply();
                  },
                  () -> timeOut(stage));
          assertThat(raced.second()).containsExactly(first);
          assertThat(stage.path(second)).endsWith("FAILED", "QUEUED", "RUNNING");
          assertThat(stage.runs.read(second).view().ending()).isNull();
        });
  }

  @Test
  void success_and_timeout_at_a_time_end_the_run_once() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{timeout: 10s}");
          var run = stage.runs.started();
          var active = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          stage.clock.step(LIMIT);
          timeOut(stage);
          var plan = stage.runs.intend(run);
          stage.race(
              Contended.task(stage.runs.task(run, "a")),
              () -> stage.heartbeat(active.exitedAtOnce(0)),
              plan::apply);
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
        });
  }
}
