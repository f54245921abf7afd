package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A result, and somebody else who writes about the same task. */
abstract class ResultRaceContract extends RaceContract {

  ResultRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void of_two_with_the_same_error_one_writes_it() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(1)),
                  () -> stage.heartbeat(task.exited(1)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.DUPLICATE);
          assertThat(stage.path(task.task())).hasSize(4).endsWith("PENDING exit_code: 1");
        });
  }

  @Test
  void of_two_with_the_same_success_one_writes_it() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(0)),
                  () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.DUPLICATE);
          assertThat(stage.path(task.task())).hasSize(4).endsWith("SUCCEEDED exit_code: 0");
        });
  }

  @Test
  void success_behind_an_error_is_late() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(1)),
                  () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task()))
              .endsWith("PENDING exit_code: 1", "SUCCEEDED late_success");
        });
  }

  @Test
  void error_behind_a_success_changes_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(0)),
                  () -> stage.heartbeat(task.exited(1)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.DUPLICATE);
          assertThat(stage.path(task.task())).hasSize(4).endsWith("SUCCEEDED exit_code: 0");
        });
  }

  @Test
  void start_behind_the_end_is_void() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exitedAtOnce(0)),
                  () -> stage.heartbeat(task.started()));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.VOID);
          assertThat(stage.path(task.task())).hasSize(4).endsWith("SUCCEEDED exit_code: 0");
        });
  }

  /** When it looked, the task did not run yet; under the lock it does. */
  @Test
  void end_behind_the_start_is_written() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.started()),
                  () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task()))
              .hasSize(4)
              .endsWith("RUNNING started", "SUCCEEDED exit_code: 0");
        });
  }

  @Test
  void end_that_does_not_know_of_the_start_before_it_is_written() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.started()),
                  () -> stage.heartbeat(task.exitedAtOnce(0)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task()))
              .hasSize(4)
              .endsWith("RUNNING started", "SUCCEEDED exit_code: 0");
        });
  }

  /** The batch took its snapshot before the cancel, but must judge by what the cancel wrote. */
  @Test
  void error_behind_a_cancel_is_not_tried_again() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.cancel(task.task()),
                  () -> stage.heartbeat(task.exited(1)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task())).endsWith("CANCELLED cancelled");
        });
  }

  @Test
  void cancel_behind_an_error_ends_the_retry() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(1)),
                  () -> stage.cancel(task.task()));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isTrue();
          assertThat(stage.path(task.task()))
              .endsWith("PENDING exit_code: 1", "CANCELLED cancelled");
        });
  }

  @Test
  void success_counts_before_and_behind_a_cancel() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.cancel(task.task()),
                  () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task())).endsWith("SUCCEEDED exit_code: 0");
        });
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(0)),
                  () -> stage.cancel(task.task()));
          assertThat(raced.second()).isTrue();
          assertThat(stage.path(task.task())).endsWith("SUCCEEDED exit_code: 0");
        });
  }

  @Test
  void late_success_behind_the_next_claim_is_void() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.claim(first.to(), next),
                  () -> stage.heartbeat(first.exited(0)));
          assertThat(raced.first()).containsExactly(first.task());
          assertThat(raced.second()).containsExactly(Answer.VOID);
          assertThat(stage.state(first.task())).isEqualTo(TaskState.DISPATCHED);
          assertThat(stage.attempt(first).lateOutcome()).contains("code=0");
          var second = new Dispatched(first.task(), next.dispatch(), first.to());
          assertThat(stage.attempt(second).ended()).isFalse();
        });
  }

  @Test
  void claim_behind_a_late_success_takes_nothing() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.heartbeat(first.exited(0)),
                  () -> stage.claim(first.to(), next));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.path(first.task())).endsWith("SUCCEEDED late_success");
          assertThat(stage.observed.attempts(List.of(next.dispatch()))).isEmpty();
        });
  }

  @Test
  void report_of_the_old_session_behind_a_rebind_is_void() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var restarted = stage.restarted(task.to());
          stage.register(restarted, 2_000);
          var binding = task.binding(false);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.workers.rebind(restarted, List.of(binding)),
                  () -> stage.heartbeat(task.exitedAtOnce(0)));
          assertThat(raced.first()).containsExactly(task.id());
          assertThat(raced.second()).containsExactly(Answer.VOID);
          assertThat(stage.heartbeat(task.by(restarted).started())).containsExactly(Answer.APPLIED);
        });
  }

  @Test
  void rebind_behind_a_report_binds_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var restarted = stage.restarted(task.to());
          stage.register(restarted, 2_000);
          var binding = task.binding(false);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exitedAtOnce(0)),
                  () -> stage.workers.rebind(restarted, List.of(binding)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.state(task.task())).isEqualTo(TaskState.SUCCEEDED);
        });
  }

  /** It looked DISPATCHED, and runs now: what runs is not moved. */
  @Test
  void rebind_behind_a_start_binds_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var restarted = stage.restarted(task.to());
          stage.register(restarted, 2_000);
          var binding = task.binding(false);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.started()),
                  () -> stage.workers.rebind(restarted, List.of(binding)));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.heartbeat(task.exited(0))).containsExactly(Answer.APPLIED);
        });
  }

  @Test
  void reaper_behind_a_result_ends_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), () -> stage.heartbeat(task.exited(0)), reaping::end);
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isEqualTo(Ended.NOTHING);
          assertThat(stage.path(task.task())).hasSize(4).endsWith("SUCCEEDED exit_code: 0");
          assertThat(stage.observed.recoveriesAfter(0)).isEmpty();
        });
  }

  @Test
  void success_behind_the_reaper_is_late() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), reaping::end, () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.first().count()).isEqualTo(1);
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(stage.path(task.task()))
              .endsWith("PENDING agent_lost", "SUCCEEDED late_success");
        });
  }

  @Test
  void error_behind_the_reaper_is_noted() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), reaping::end, () -> stage.heartbeat(task.exited(1)));
          assertThat(raced.first().count()).isEqualTo(1);
          assertThat(raced.second()).containsExactly(Answer.DUPLICATE);
          assertThat(stage.path(task.task())).endsWith("PENDING agent_lost");
          assertThat(stage.attempt(task).lateOutcome()).contains("code=1");
        });
  }

  @Test
  void reaper_behind_a_cancel_ends_the_task_as_cancelled() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), () -> stage.cancel(task.task()), reaping::end);
          assertThat(raced.second().count()).isEqualTo(1);
          assertThat(stage.path(task.task())).endsWith("CANCELLED cancelled");
        });
  }
}
