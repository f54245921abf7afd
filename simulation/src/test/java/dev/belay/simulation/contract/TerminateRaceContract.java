package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.TerminateContract.REASONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Election;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Of terminate, finish, retry, a lost worker and a change of leader, two at the same time: each
 * pair has one outcome in each order. Pairs without terminate are here where no other contract has
 * them.
 */
abstract class TerminateRaceContract extends RaceContract {

  TerminateRaceContract(Ground ground) {
    super(ground);
  }

  private void forEachReason(BiConsumer<Stage, AbortReason> scene) {
    for (var reason : REASONS) {
      inEveryWay(stage -> scene.accept(stage, reason));
    }
  }

  private static Terminate end(Stage stage, TaskId task, AbortReason reason) {
    return stage.intake.terminateTask(task, reason);
  }

  /** What a request for this reason is answered by a task in this idle state. */
  private static Terminate idle(AbortReason reason, TaskState state) {
    return reason
        .appliesTo(state)
        .<Terminate>map(Terminate.Done::new)
        .orElseGet(() -> new Terminate.NothingToDo(state));
  }

  private static String last(Stage stage, TaskId task) {
    return stage.path(task).getLast();
  }

  @Test
  void success_behind_a_request_counts() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> end(stage, task.task(), reason),
                  () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.first()).isEqualTo(new Terminate.Asked(task.id()));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(last(stage, task.task())).isEqualTo("SUCCEEDED exit_code: 0");
        });
  }

  @Test
  void request_behind_a_success_is_too_late() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(0)),
                  () -> end(stage, task.task(), reason));
          assertThat(raced.second()).isEqualTo(new Terminate.AlreadyOver(TaskState.SUCCEEDED));
          assertThat(stage.attempt(task).details().abortReason()).isNull();
        });
  }

  @Test
  void failure_behind_a_request_ends_for_its_reason() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> end(stage, task.task(), reason),
                  () -> stage.heartbeat(task.exited(1)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
          assertThat(last(stage, task.task())).isEqualTo(reason.leadsTo() + " " + reason.word());
        });
  }

  @Test
  void request_behind_a_failure_meets_the_retry() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(1)),
                  () -> end(stage, task.task(), reason));
          assertThat(raced.second()).isEqualTo(idle(reason, TaskState.PENDING));
          assertThat(stage.attempt(task).details().abortReason()).isNull();
          assertThat(stage.state(task.task()))
              .isEqualTo(reason.appliesTo(TaskState.PENDING).orElse(TaskState.PENDING));
        });
  }

  @Test
  void of_two_requests_the_first_reason_stays() {
    forEachReason(
        (stage, reason) -> {
          var other = reason == AbortReason.CANCELLED ? REASONS.getLast() : AbortReason.CANCELLED;
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> end(stage, task.task(), reason),
                  () -> end(stage, task.task(), other));
          assertThat(raced.first()).isEqualTo(new Terminate.Asked(task.id()));
          assertThat(raced.second())
              .isInstanceOfSatisfying(
                  Terminate.AlreadyAsked.class,
                  asked -> assertThat(asked.reason()).isEqualTo(reason));
          assertThat(stage.abortReason(task)).isEqualTo(reason.word());
        });
  }

  @Test
  void loss_behind_a_request_ends_for_its_reason() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), () -> end(stage, task.task(), reason), reaping::end);
          assertThat(raced.second().count()).isEqualTo(1);
          assertThat(last(stage, task.task())).isEqualTo(reason.leadsTo() + " " + reason.word());
        });
  }

  @Test
  void request_behind_a_loss_meets_the_retry() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), reaping::end, () -> end(stage, task.task(), reason));
          assertThat(raced.first().count()).isEqualTo(1);
          assertThat(raced.second()).isEqualTo(idle(reason, TaskState.PENDING));
        });
  }

  @Test
  void request_behind_a_retry_meets_the_next_generation() {
    forEachReason(
        (stage, reason) -> {
          var failed = failedRun(stage);
          var raced =
              stage.race(
                  Contended.task(failed.attempt().task()),
                  () -> stage.intake.retryRun(failed.run()),
                  () -> end(stage, failed.attempt().task(), reason));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isEqualTo(idle(reason, TaskState.WAITING));
        });
  }

  @Test
  void retry_behind_a_request_that_is_too_late_is_done() {
    forEachReason(
        (stage, reason) -> {
          var failed = failedRun(stage);
          var raced =
              stage.race(
                  Contended.task(failed.attempt().task()),
                  () -> end(stage, failed.attempt().task(), reason),
                  () -> stage.intake.retryRun(failed.run()));
          assertThat(raced.first()).isEqualTo(new Terminate.AlreadyOver(TaskState.FAILED));
          assertThat(raced.second()).isTrue();
          assertThat(last(stage, failed.attempt().task())).isEqualTo("WAITING retried");
        });
  }

  private record Failed(RunId run, Dispatched attempt) {}

  private static Failed failedRun(Stage stage) {
    stage.runs.registerOne("{}");
    var run = stage.runs.started();
    var attempt = stage.runs.finish(run, "a", 1);
    stage.runs.plan();
    return new Failed(run, attempt);
  }

  @Test
  void request_behind_a_claim_asks_the_new_attempt_and_a_claim_behind_it_takes_what_is_left() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(worker, claim),
                  () -> end(stage, task, reason));
          assertThat(raced.second()).isEqualTo(new Terminate.Asked(claim.dispatch()));
        });
    forEachReason(
        (stage, reason) -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> end(stage, task, reason),
                  () -> stage.claim(worker, stage.claimOf(task)));
          assertThat(raced.first()).isEqualTo(idle(reason, TaskState.SCHEDULED));
          boolean left = reason.appliesTo(TaskState.SCHEDULED).isEmpty();
          assertThat(raced.second()).isEqualTo(left ? List.of(task) : List.of());
        });
  }

  /** The request is nobody's to lose: it is in the row. */
  @Test
  void request_in_the_middle_of_a_change_of_leader_stays() {
    forEachReason(
        (stage, reason) -> {
          var task = stage.running(RETRIES);
          var next = deposed(stage);
          var raced =
              stage.race(
                  Contended.epochLock(), next::campaign, () -> end(stage, task.task(), reason));
          assertThat(raced.second()).isEqualTo(new Terminate.Asked(task.id()));
          stage.epoch = raced.first().orElseThrow();
          assertThat(stage.abortReason(task)).isEqualTo(reason.word());
          assertThat(new Reaping(stage, task).end().count()).isEqualTo(1);
          assertThat(last(stage, task.task())).isEqualTo(reason.leadsTo() + " " + reason.word());
        });
  }

  /** A leader that has been replaced; the next one has not begun. */
  private static Election deposed(Stage stage) {
    var old = stage.election("r1");
    stage.epoch = old.campaign().orElseThrow();
    old.resign();
    return stage.election("r2");
  }

  @Test
  void deposed_leader_gives_up_no_attempt_and_the_next_one_does() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var next = deposed(stage);
          var reaping = new Reaping(stage, task);
          var raced = stage.race(Contended.epochLock(), next::campaign, reaping::end);
          assertThat(raced.secondFailure()).isNotNull();
          assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
          stage.epoch = raced.first().orElseThrow();
          assertThat(new Reaping(stage, task).end().count()).isEqualTo(1);
        });
  }

  @Test
  void results_and_retries_do_not_need_a_leader() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var next = deposed(stage);
          var raced =
              stage.race(
                  Contended.epochLock(), next::campaign, () -> stage.heartbeat(task.exited(0)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED);
        });
    inEveryWay(
        stage -> {
          var failed = failedRun(stage);
          var next = deposed(stage);
          var raced =
              stage.race(
                  Contended.epochLock(), next::campaign, () -> stage.intake.retryRun(failed.run()));
          assertThat(raced.second()).isTrue();
        });
  }

  @Test
  void loss_behind_a_retry_concerns_nothing() {
    inEveryWay(
        stage -> {
          var failed = failedRun(stage);
          var raced =
              stage.race(
                  Contended.task(failed.attempt().task()),
                  () -> stage.intake.retryRun(failed.run()),
                  () -> stage.heartbeat(failed.attempt().lost()));
          assertThat(raced.second()).containsExactly(Answer.VOID);
          assertThat(last(stage, failed.attempt().task())).isEqualTo("WAITING retried");
        });
  }

  /** The run is open while a worker holds one of its tasks. */
  @Test
  void retry_behind_a_loss_is_refused_and_a_second_loss_ends_nothing() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.task(task.task()), () -> stage.heartbeat(task.lost()), reaping::end);
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second()).isEqualTo(Ended.NOTHING);
          assertThat(stage.intake.retryRun(run)).isFalse();
        });
  }
}
