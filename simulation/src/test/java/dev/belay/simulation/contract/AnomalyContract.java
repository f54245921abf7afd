package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.session.gateway.Registration;
import org.junit.jupiter.api.Test;

/**
 * READ COMMITTED as it is: a statement finds rows as they were when it began, and looks again only
 * at those that it found and that were changed since.
 */
abstract class AnomalyContract extends RaceContract {

  AnomalyContract(Ground ground) {
    super(ground);
  }

  @Test
  void row_that_fits_no_more_is_not_written() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.touch(worker, 6),
                  () -> stage.touch(worker, 5));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isFalse();
        });
  }

  @Test
  void row_that_still_fits_is_written_on_top_of_what_is_there_now() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.touch(worker, 5),
                  () -> stage.touch(worker, 6));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isTrue();
          assertThat(stage.touch(worker, 6)).isFalse();
        });
  }

  /** It would fit now, but was not found. */
  @Test
  void row_that_did_not_fit_is_not_written_though_it_does_now() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          var next = Stage.reconnected(worker);
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.register(next, 1_000),
                  () -> stage.touch(next, 1));
          assertThat(raced.first()).isEqualTo(new Registration.Accepted());
          assertThat(raced.second()).isFalse();
          assertThat(stage.touch(next, 1)).isTrue();
        });
  }

  /** One task was active when the cancel looked; the other one became so. The plan asks it. */
  @Test
  void cancel_of_a_run_misses_what_is_claimed_meanwhile() {
    inEveryWay(
        stage -> {
          stage.runs.register("name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x]}]");
          var run = stage.runs.started();
          var worker = stage.newWorker();
          var active = stage.claimed(worker, stage.runs.task(run, "a"));
          var other = stage.claimOf(stage.runs.task(run, "b"));
          var raced =
              stage.race(
                  Contended.task(active.task()).onlyBySecond(),
                  () -> stage.claim(worker, other),
                  () -> stage.runs.cancel(run));
          assertThat(raced.first()).containsExactly(other.task());
          assertThat(raced.second()).isTrue();
          var missed = new Dispatched(other.task(), other.dispatch(), worker);
          assertThat(stage.abortReason(active)).isEqualTo("cancelled");
          assertThat(stage.abortReason(missed)).isNull();
          stage.runs.plan();
          assertThat(stage.abortReason(missed)).isEqualTo("cancelled");
          stage.heartbeat(active.exitedAtOnce(1), missed.exitedAtOnce(1));
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.CANCELLED);
        });
  }
}
