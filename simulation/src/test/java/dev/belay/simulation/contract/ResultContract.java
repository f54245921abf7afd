package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.BACKOFF;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results that workers send. */
abstract class ResultContract extends Contract {

  ResultContract(Ground ground) {
    super(ground);
  }

  @Test
  void start_and_end_are_written_once() {
    var task = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(task.started())).containsExactly(Answer.APPLIED);
    assertThat(stage.heartbeat(task.started())).containsExactly(Answer.DUPLICATE);
    assertThat(stage.heartbeat(task.exited(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.heartbeat(task.exited(0))).containsExactly(Answer.DUPLICATE);
    assertThat(stage.path(task.task()))
        .containsExactly(
            "SCHEDULED submitted",
            "DISPATCHED claimed",
            "RUNNING started",
            "SUCCEEDED exit_code: 0");
    var attempt = stage.attempt(task);
    assertThat(attempt.ended()).isTrue();
    assertThat(attempt.exitCode()).isZero();
    assertThat(attempt.lateOutcome()).isEqualTo("Exited[code=0, signal=0, outOfMemory=false]");
  }

  @Test
  void end_without_a_start_went_through_running() {
    var task = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(task.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(task.task())).hasSize(4).contains("RUNNING started");
    var failed = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(failed.exitedAtOnce(1))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(failed.task())).hasSize(4).contains("RUNNING started");
  }

  /** Judged or usual, told at once or after an outage: the times are those of the process. */
  @Test
  void times_of_a_late_report_are_those_of_the_process() {
    for (int code : List.of(0, 1)) {
      var task = stage.dispatched(RETRIES);
      var dispatched = stage.clock.instant();
      stage.clock.step(Duration.ofMinutes(3));
      var started = dispatched.plusSeconds(1);
      var ended = dispatched.plusSeconds(31);
      assertThat(stage.heartbeat(task.exitedAtOnce(code, started, ended)))
          .containsExactly(Answer.APPLIED);
      var attempt = stage.attempt(task);
      assertThat(attempt.startedAt()).isEqualTo(started);
      assertThat(attempt.endedAt()).isEqualTo(ended);
      assertThat(stage.times(task.task())).endsWith(started, ended);
    }
  }

  @Test
  void no_time_is_before_the_dispatch_or_after_now() {
    for (int code : List.of(0, 1)) {
      var task = stage.dispatched(RETRIES);
      var dispatched = stage.clock.instant();
      stage.clock.step(Duration.ofMinutes(3));
      var now = stage.clock.instant();
      stage.heartbeat(
          task.exitedAtOnce(code, dispatched.minusSeconds(9), dispatched.plus(Duration.ofDays(9))));
      assertThat(stage.attempt(task).startedAt()).isEqualTo(dispatched);
      assertThat(stage.attempt(task).endedAt()).isEqualTo(now);
    }
  }

  /** The result of the start was lost, or comes in the same batch. */
  @Test
  void end_that_believes_its_start_was_told_is_taken_all_the_same() {
    var task = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(task.exited(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(task.task())).hasSize(4).contains("RUNNING started");
    var other = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(other.started(), other.exited(0)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(stage.path(other.task())).hasSize(4).contains("RUNNING started");
  }

  @Test
  void end_that_does_not_know_of_the_start_is_taken() {
    var task = stage.running(RETRIES);
    assertThat(stage.heartbeat(task.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(task.task())).hasSize(4).endsWith("SUCCEEDED exit_code: 0");
  }

  @Test
  void start_after_the_end_grants_nothing() {
    var task = stage.dispatched(RETRIES);
    stage.heartbeat(task.exitedAtOnce(0));
    assertThat(stage.heartbeat(task.started())).containsExactly(Answer.VOID);
    var again = stage.dispatched(RETRIES);
    stage.heartbeat(again.lost());
    assertThat(stage.heartbeat(again.started())).containsExactly(Answer.VOID);
    assertThat(stage.state(again.task())).isEqualTo(TaskState.PENDING);
  }

  @Test
  void report_of_a_stranger_is_void() {
    var task = stage.dispatched(RETRIES);
    var other = task.by(stage.newWorker());
    var restarted = task.by(stage.restarted(task.to()));
    assertThat(stage.heartbeat(other.started(), other.exited(0)))
        .containsExactly(Answer.VOID, Answer.VOID);
    assertThat(stage.heartbeat(restarted.started(), restarted.exited(1), restarted.lost()))
        .containsOnly(Answer.VOID);
    var unknown = new Dispatched(task.task(), new DispatchId(stage.ids().next()), task.to());
    assertThat(stage.heartbeat(unknown.started(), unknown.exited(0), unknown.exited(1)))
        .containsOnly(Answer.VOID);
    assertThat(stage.path(task.task())).hasSize(2);
    assertThat(stage.attempt(task).lateOutcome()).isNull();
  }

  @Test
  void stranger_in_the_batch_does_not_hurt_the_one_who_may_speak() {
    var task = stage.dispatched(RETRIES);
    var stranger = task.by(stage.restarted(task.to()));
    assertThat(stage.heartbeat(stranger.exitedAtOnce(1), task.exitedAtOnce(0)))
        .containsExactly(Answer.VOID, Answer.APPLIED);
    assertThat(stage.state(task.task())).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void error_is_tried_again_once() {
    var first = stage.running(RETRIES);
    var outcome = stage.results.write(List.of(first.exited(1)));
    assertThat(outcome.effects().tasksEnded()).isEmpty();
    assertThat(outcome.runsChanged()).isTrue();
    assertThat(outcome.workReady()).isTrue();
    assertThat(stage.path(first.task())).endsWith("PENDING exit_code: 1");
    stage.clock.step(BACKOFF.minusMillis(1));
    assertThat(stage.promote()).isZero();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(stage.promote()).isEqualTo(1);
    var second = stage.claimed(first.to(), first.task());
    stage.heartbeat(second.exitedAtOnce(3));
    assertThat(stage.path(first.task())).endsWith("FAILED exit_code: 3");
    assertThat(stage.attempt(first).exitCode()).isEqualTo(1);
    assertThat(stage.attempt(second).exitCode()).isEqualTo(3);
  }

  @Test
  void outcome_says_what_ended_and_what_to_look_at() {
    var task = stage.dispatched(RETRIES);
    var started = stage.results.write(List.of(task.started()));
    assertThat(started.effects().tasksEnded()).isEmpty();
    assertThat(started.runsChanged()).isFalse();
    assertThat(started.workReady()).isFalse();
    var skipped = stage.dispatched(RETRIES);
    var ended = stage.results.write(List.of(task.exited(0), skipped.exitedAtOnce(99)));
    assertThat(ended.effects().tasksEnded())
        .isEqualTo(Map.of(TaskState.SUCCEEDED, 1, TaskState.SKIPPED, 1));
    assertThat(ended.runsChanged()).isFalse();
    assertThat(ended.workReady()).isTrue();
  }

  @Test
  void end_in_a_run_marks_it() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    assertThat(stage.runs.marked()).isEmpty();
    var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    assertThat(stage.results.write(List.of(task.started())).runsChanged()).isFalse();
    assertThat(stage.runs.marked()).isEmpty();
    assertThat(stage.results.write(List.of(task.exited(0))).runsChanged()).isTrue();
    assertThat(stage.runs.marked()).containsExactly(run);
  }

  @Test
  void crash_waits_a_minute() {
    var task = stage.running(RETRIES);
    stage.heartbeat(task.killed(9));
    assertThat(stage.path(task.task())).endsWith("PENDING signal: SIGKILL");
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).hasValue(Duration.ofMinutes(1));
  }

  @Test
  void refused_dispatch_goes_elsewhere_and_has_not_run() {
    var task = stage.dispatched(RETRIES);
    assertThat(stage.heartbeat(task.refused())).containsExactly(Answer.APPLIED);
    assertThat(stage.path(task.task()))
        .containsExactly("SCHEDULED submitted", "DISPATCHED claimed", "SCHEDULED refused: full");
  }

  @Test
  void loss_is_tried_again_once_and_recorded() {
    var first = stage.dispatched(RETRIES);
    stage.clock.step(Duration.ofSeconds(2));
    assertThat(stage.heartbeat(first.lost())).containsExactly(Answer.APPLIED);
    assertThat(stage.path(first.task())).endsWith("PENDING worker_restarted");
    var recoveries = stage.observed.recoveriesAfter(0);
    assertThat(recoveries).hasSize(1);
    assertThat(recoveries.getFirst().kind()).isEqualTo(RecoveryKind.WORKER_RESTARTED);
    assertThat(recoveries.getFirst().task()).isEqualTo(first.task());
    assertThat(recoveries.getFirst().sinceLastSign()).isEqualTo(Duration.ofSeconds(2));
    assertThat(recoveries.getFirst().promised()).isEqualTo(Duration.ofSeconds(3));
    assertThat(stage.heartbeat(first.lost())).containsExactly(Answer.DUPLICATE);
    assertThat(stage.promote()).isEqualTo(1);
    var second = stage.claimed(first.to(), first.task());
    stage.heartbeat(second.lost());
    assertThat(stage.path(first.task())).endsWith("FAILED worker_restarted");
    assertThat(stage.observed.recoveriesAfter(recoveries.getFirst().id())).hasSize(1);
  }

  @Test
  void outcome_in_the_same_batch_contradicts_a_loss() {
    var task = stage.running(RETRIES);
    assertThat(stage.heartbeat(task.lost(), task.exited(0)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(stage.path(task.task())).endsWith("SUCCEEDED exit_code: 0");
    assertThat(stage.observed.recoveriesAfter(0)).isEmpty();
  }

  @Test
  void late_success_counts_while_nothing_replaced_the_attempt() {
    var pending = stage.running(RETRIES);
    stage.heartbeat(pending.lost());
    assertThat(stage.heartbeat(pending.exited(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(pending.task()))
        .endsWith("PENDING worker_restarted", "SUCCEEDED late_success");
    assertThat(stage.attempt(pending).lateOutcome()).isEqualTo("exit_code: 0");
    var scheduled = stage.running(RETRIES);
    stage.heartbeat(scheduled.lost());
    stage.promote();
    assertThat(stage.heartbeat(scheduled.exited(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(scheduled.task())).endsWith("SCHEDULED due", "SUCCEEDED late_success");
  }

  @Test
  void late_failure_changes_nothing_and_is_noted_once() {
    var task = stage.running(RETRIES);
    stage.heartbeat(task.lost());
    assertThat(stage.heartbeat(task.exited(4))).containsExactly(Answer.DUPLICATE);
    assertThat(stage.heartbeat(task.exited(5))).containsExactly(Answer.DUPLICATE);
    assertThat(stage.state(task.task())).isEqualTo(TaskState.PENDING);
    assertThat(stage.attempt(task).lateOutcome()).contains("code=4");
    assertThat(stage.attempt(task).exitCode()).isNull();
  }

  @Test
  void late_end_of_a_replaced_attempt_is_void_and_noted() {
    var first = stage.running(RETRIES);
    stage.heartbeat(first.lost());
    stage.promote();
    var second = stage.claimed(stage.newWorker(), first.task());
    assertThat(stage.heartbeat(first.exited(0))).containsExactly(Answer.VOID);
    assertThat(stage.state(first.task())).isEqualTo(TaskState.DISPATCHED);
    assertThat(stage.attempt(first).lateOutcome()).contains("code=0");
    assertThat(stage.heartbeat(second.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.attempt(second).lateOutcome()).isNull();
  }

  @Test
  void cancelled_attempt_is_not_tried_again_but_success_counts() {
    var failed = stage.running(RETRIES);
    stage.cancel(failed.task());
    assertThat(stage.abortReason(failed)).isEqualTo("cancelled");
    stage.heartbeat(failed.exited(1));
    assertThat(stage.path(failed.task())).endsWith("CANCELLED cancelled");
    var succeeded = stage.running(RETRIES);
    stage.cancel(succeeded.task());
    stage.heartbeat(succeeded.exited(0));
    assertThat(stage.path(succeeded.task())).endsWith("SUCCEEDED exit_code: 0");
    var lost = stage.dispatched(RETRIES);
    stage.cancel(lost.task());
    stage.heartbeat(lost.lost());
    assertThat(stage.path(lost.task())).endsWith("CANCELLED cancelled");
  }

  /** The agent names the task; the row of another one does not have the dispatch. */
  @Test
  void report_that_names_another_task_is_void() {
    var task = stage.running(RETRIES);
    var other = stage.running(RETRIES);
    var mixed = new Dispatched(other.task(), task.id(), task.to());
    assertThat(stage.heartbeat(mixed.started(), mixed.exited(0))).containsOnly(Answer.VOID);
    assertThat(stage.heartbeat(mixed.exited(1))).containsExactly(Answer.VOID);
    assertThat(stage.heartbeat(mixed.lost())).containsExactly(Answer.VOID);
    for (var untouched : List.of(task, other)) {
      assertThat(stage.state(untouched.task())).isEqualTo(TaskState.RUNNING);
      assertThat(stage.attempt(untouched).lateOutcome()).isNull();
      assertThat(stage.heartbeat(untouched.exited(0))).containsExactly(Answer.APPLIED);
    }
  }

  @Test
  void stranger_that_names_another_task_does_not_hurt_the_one_who_may_speak() {
    var one = stage.running(RETRIES);
    var two = stage.running(RETRIES);
    var three = stage.running(RETRIES);
    var ofAnOlder = new Dispatched(one.task(), two.id(), one.to());
    assertThat(stage.heartbeat(ofAnOlder.exited(1), two.exited(1)))
        .containsExactly(Answer.VOID, Answer.APPLIED);
    var ofAYounger = new Dispatched(three.task(), one.id(), three.to());
    assertThat(stage.heartbeat(ofAYounger.exited(1), one.exited(1)))
        .containsExactly(Answer.VOID, Answer.APPLIED);
  }

  @Test
  void batch_is_answered_in_the_order_of_its_events() {
    var one = stage.dispatched(RETRIES);
    var two = stage.dispatched(RETRIES);
    var three = stage.dispatched(RETRIES);
    stage.heartbeat(two.exitedAtOnce(0));
    assertThat(
            stage.heartbeat(
                three.exitedAtOnce(1),
                two.exitedAtOnce(0),
                two.started(),
                one.started(),
                one.started()))
        .containsExactly(
            Answer.APPLIED, Answer.DUPLICATE, Answer.DUPLICATE, Answer.APPLIED, Answer.APPLIED);
  }

  /** A dispatch stays current until the next claim, or until the generation rises. */
  @Test
  void success_of_an_earlier_generation_is_void() {
    stage.runs.register("name: w\ntasks: [{name: a, command: [x], on_worker_lost: fail}]");
    var run = stage.runs.started();
    var first = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.heartbeat(first.started(), first.lost());
    stage.runs.plan();
    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(stage.heartbeat(first.started())).containsExactly(Answer.VOID);
    stage.runs.plan();
    assertThat(stage.state(first.task())).isEqualTo(TaskState.SCHEDULED);

    var outcome = stage.results.write(List.of(first.exited(0)));
    assertThat(outcome.settlements().getFirst().answer()).isEqualTo(Answer.VOID);
    assertThat(outcome.effects().tasksEnded()).isEmpty();
    assertThat(stage.state(first.task())).isEqualTo(TaskState.SCHEDULED);
    assertThat(stage.attempt(first).lateOutcome()).contains("code=0");

    var second = stage.claimed(first.to(), first.task());
    assertThat(stage.heartbeat(first.exited(0), first.exited(1), first.lost()))
        .containsOnly(Answer.VOID);
    assertThat(stage.heartbeat(second.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(first.task())).endsWith("SUCCEEDED exit_code: 0");
  }

  @Test
  void success_of_a_cancelled_generation_is_void() {
    stage.runs.registerOne("{}");
    var run = stage.runs.started();
    var first = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.runs.cancel(run);
    stage.heartbeat(first.lost());
    stage.runs.plan();
    assertThat(stage.state(first.task())).isEqualTo(TaskState.CANCELLED);
    assertThat(stage.intake.retryRun(run)).isTrue();
    stage.runs.plan();
    assertThat(stage.heartbeat(first.exited(0), first.exitedAtOnce(0))).containsOnly(Answer.VOID);
    assertThat(stage.heartbeat(first.refused())).containsExactly(Answer.VOID);
    assertThat(stage.state(first.task())).isEqualTo(TaskState.SCHEDULED);
  }
}
