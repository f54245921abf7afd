package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.SteerContract.done;
import static dev.belay.simulation.contract.SteerContract.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.session.gateway.Settlement.Answer;
import org.junit.jupiter.api.Test;

/** A person changes a task, and somebody else writes about it. */
abstract class SteerRaceContract extends RaceContract {

  SteerRaceContract(Ground ground) {
    super(ground);
  }

  /** Of which a has ended so, and its end is planned. */
  private static RunId chain(Stage stage, int exitCode) {
    stage.runs.registerChain();
    var run = stage.runs.started();
    stage.runs.finish(run, "a", exitCode);
    stage.runs.plan();
    return run;
  }

  private static RunId finished(Stage stage) {
    var run = chain(stage, 0);
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
    return run;
  }

  @Test
  void of_two_who_clear_one_does_and_the_other_is_told() {
    inEveryWay(
        stage -> {
          var run = finished(stage);
          var a = stage.runs.task(run, "a");
          var raced =
              stage.race(
                  Contended.task(a), () -> stage.intake.clear(a), () -> stage.intake.clear(a));
          done(raced.first());
          assertThat(raced.second()).isEqualTo(new TaskSteer.Unchanged(TaskState.WAITING));
          assertThat(stage.path(a)).endsWith("SUCCEEDED exit_code: 0", "WAITING cleared");
          assertThat(stage.path(run)).endsWith("SUCCEEDED", "QUEUED");
        });
  }

  @Test
  void clear_behind_the_finish_clears_and_before_it_is_refused() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 0);
          var last = stage.claimed(stage.newWorker(), stage.runs.task(run, "b"));
          var raced =
              stage.race(
                  Contended.task(last.task()),
                  () -> stage.heartbeat(last.exitedAtOnce(0)),
                  () -> stage.intake.clear(last.task()));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          done(raced.second());
          assertThat(stage.path(last.task())).endsWith("SUCCEEDED exit_code: 0", "WAITING cleared");
          stage.runs.plan();
          var again = stage.claimed(stage.newWorker(), last.task());
          var other =
              stage.race(
                  Contended.task(last.task()),
                  () -> stage.intake.clear(last.task()),
                  () -> stage.heartbeat(again.exitedAtOnce(0)));
          assertThat(refused(other.first())).contains("is DISPATCHED");
          assertThat(other.second()).containsExactly(Answer.APPLIED);
        });
  }

  @Test
  void clear_behind_the_plan_that_ends_the_run_reopens_it() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 0);
          stage.runs.finish(run, "b", 0);
          var intent = stage.runs.intend(run);
          var a = stage.runs.task(run, "a");
          var raced = stage.race(Contended.run(run), intent::apply, () -> stage.intake.clear(a));
          assertThat(raced.first().ended()).containsKey(run);
          assertThat(raced.second()).isInstanceOf(TaskSteer.Done.class);
          assertThat(stage.path(run)).endsWith("SUCCEEDED", "QUEUED");
        });
  }

  @Test
  void plan_that_would_end_the_run_behind_a_clear_does_not() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 0);
          stage.runs.finish(run, "b", 0);
          var intent = stage.runs.intend(run);
          var a = stage.runs.task(run, "a");
          var raced = stage.race(Contended.run(run), () -> stage.intake.clear(a), intent::apply);
          done(raced.first());
          assertThat(raced.second().ended()).isEmpty();
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
          assertThat(stage.state(a)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  /** The plan saw that a had succeeded, and would start b. */
  @Test
  void plan_from_before_a_clear_does_not_start_what_waits_again() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var a = stage.runs.task(run, "a");
          var b = stage.runs.task(run, "b");
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.task(b), () -> stage.intake.clear(a), intent::apply);
          done(raced.first());
          assertThat(raced.second().lostMoves()).isEqualTo(1);
          assertThat(stage.state(b)).isEqualTo(TaskState.WAITING);
          stage.runs.plan();
          stage.runs.finish(run, "a", 0);
          stage.runs.plan();
          assertThat(stage.state(b)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  /** The plan saw that a had failed, and would fail b. */
  @Test
  void plan_from_before_a_mark_does_not_decide_what_comes_after_it() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 1);
          var a = stage.runs.task(run, "a");
          var b = stage.runs.task(run, "b");
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.task(b),
                  () -> stage.intake.mark(a, TaskState.SUCCEEDED),
                  intent::apply);
          done(raced.first());
          assertThat(raced.second().ended()).isEmpty();
          stage.runs.plan();
          assertThat(stage.state(b)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  /** The plan saw that b had failed, and would fail the run. */
  @Test
  void plan_from_before_a_mark_does_not_end_the_run() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 0);
          stage.runs.finish(run, "b", 1);
          var b = stage.runs.task(run, "b");
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.run(run),
                  () -> stage.intake.mark(b, TaskState.SUCCEEDED),
                  intent::apply);
          done(raced.first());
          assertThat(raced.second().ended()).isEmpty();
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
        });
  }

  @Test
  void clear_behind_a_cancel_of_the_run_is_refused() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 0);
          var a = stage.runs.task(run, "a");
          stage.claimed(stage.newWorker(), stage.runs.task(run, "b"));
          var raced =
              stage.race(
                  Contended.run(run), () -> stage.runs.cancel(run), () -> stage.intake.clear(a));
          assertThat(refused(raced.second())).contains("b (");
          assertThat(stage.state(a)).isEqualTo(TaskState.SUCCEEDED);
        });
  }

  @Test
  void cancel_of_the_run_behind_a_clear_cancels_what_was_cleared() {
    inEveryWay(
        stage -> {
          var run = finished(stage);
          var a = stage.runs.task(run, "a");
          var raced =
              stage.race(
                  Contended.run(run), () -> stage.intake.clear(a), () -> stage.runs.cancel(run));
          done(raced.first());
          stage.runs.plan();
          // The cancel came to a run that had ended, or to one that was QUEUED again.
          assertThat(stage.runs.state(run)).isIn(RunState.CANCELLED, RunState.RUNNING);
        });
  }

  @Test
  void of_a_retry_of_the_run_and_a_clear_the_second_is_told() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 1);
          var a = stage.runs.task(run, "a");
          assertThat(stage.runs.state(run)).isEqualTo(RunState.FAILED);
          var raced =
              stage.race(
                  Contended.run(run),
                  () -> stage.intake.retryRun(run),
                  () -> stage.intake.clear(a));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isEqualTo(new TaskSteer.Unchanged(TaskState.WAITING));
          assertThat(stage.path(run)).endsWith("FAILED", "QUEUED");
        });
  }

  @Test
  void retry_behind_a_mark_is_refused() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 1);
          var a = stage.runs.task(run, "a");
          var raced =
              stage.race(
                  Contended.task(a),
                  () -> stage.intake.mark(a, TaskState.SUCCEEDED),
                  () -> stage.intake.retryTask(a));
          done(raced.first());
          assertThat(refused(raced.second())).contains("SUCCEEDED");
          assertThat(stage.path(a)).endsWith("SUCCEEDED marked_succeeded");
        });
  }

  @Test
  void mark_behind_a_retry_marks_what_waits() {
    inEveryWay(
        stage -> {
          var run = chain(stage, 1);
          var a = stage.runs.task(run, "a");
          var raced =
              stage.race(
                  Contended.task(a),
                  () -> stage.intake.retryTask(a),
                  () -> stage.intake.mark(a, TaskState.SUCCEEDED));
          done(raced.first());
          done(raced.second());
          assertThat(stage.path(a))
              .endsWith(
                  "WAITING retried", "PENDING marked_succeeded", "SUCCEEDED marked_succeeded");
          stage.runs.plan();
          assertThat(stage.state(stage.runs.task(run, "b"))).isEqualTo(TaskState.SCHEDULED);
        });
  }

  @Test
  void mark_behind_the_finish_gives_it_another_end() {
    inEveryWay(
        stage -> {
          var running = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(running.task()),
                  () -> stage.heartbeat(running.exited(0)),
                  () -> stage.intake.mark(running.task(), TaskState.FAILED));
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          done(raced.second());
          assertThat(stage.path(running.task()))
              .endsWith("SUCCEEDED exit_code: 0", "PENDING marked_failed", "FAILED marked_failed");
        });
  }

  @Test
  void finish_with_success_behind_a_mark_is_a_success() {
    inEveryWay(
        stage -> {
          var running = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(running.task()),
                  () -> stage.intake.mark(running.task(), TaskState.FAILED),
                  () -> stage.heartbeat(running.exited(0)));
          assertThat(raced.first()).isInstanceOf(TaskSteer.Asked.class);
          assertThat(stage.state(running.task())).isEqualTo(TaskState.SUCCEEDED);
        });
  }

  @Test
  void of_a_skip_and_a_claim_the_second_loses() {
    inEveryWay(
        stage -> {
          var claim = stage.claimOf(stage.submit(RETRIES));
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(claim.task()),
                  () -> stage.intake.skip(claim.task()),
                  () -> stage.claim(worker, claim));
          done(raced.first());
          assertThat(raced.second()).isEmpty();
          var next = stage.claimOf(stage.submit(RETRIES));
          var other =
              stage.race(
                  Contended.task(next.task()),
                  () -> stage.claim(worker, next),
                  () -> stage.intake.skip(next.task()));
          assertThat(other.first()).containsExactly(next.task());
          assertThat(refused(other.second())).contains("is DISPATCHED");
        });
  }

  @Test
  void block_behind_a_claim_ends_the_attempt_and_before_it_wins() {
    inEveryWay(
        stage -> {
          var claim = stage.claimOf(stage.submit(RETRIES));
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(claim.task()),
                  () -> stage.claim(worker, claim),
                  () -> stage.intake.block(claim.task()));
          assertThat(raced.first()).containsExactly(claim.task());
          assertThat(raced.second()).isInstanceOf(TaskSteer.Asked.class);
          var dispatched = new Dispatched(claim.task(), claim.dispatch(), worker);
          assertThat(stage.abortReason(dispatched)).isEqualTo("blocked");
          var next = stage.claimOf(stage.submit(RETRIES));
          var other =
              stage.race(
                  Contended.task(next.task()),
                  () -> stage.intake.block(next.task()),
                  () -> stage.claim(worker, next));
          done(other.first());
          assertThat(other.second()).isEmpty();
          assertThat(stage.state(next.task())).isEqualTo(TaskState.BLOCKED);
        });
  }

  /** The first reason wins, so the run's cancel comes to the task when it is BLOCKED. */
  @Test
  void cancel_of_the_run_reaches_a_task_that_was_asked_to_be_blocked() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          var a = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          var raced =
              stage.race(
                  Contended.task(a.task()),
                  () -> stage.intake.block(a.task()),
                  () -> stage.runs.cancel(run));
          assertThat(raced.first()).isInstanceOf(TaskSteer.Asked.class);
          assertThat(raced.second()).isTrue();
          stage.runs.plan();
          stage.heartbeat(a.refused());
          stage.runs.plan();
          assertThat(stage.path(a.task())).endsWith("BLOCKED blocked", "CANCELLED cancelled");
          assertThat(stage.runs.state(run)).isEqualTo(RunState.CANCELLED);
        });
  }

  @Test
  void deposed_leader_plans_nothing_of_what_was_cleared() {
    inEveryWay(
        stage -> {
          var run = finished(stage);
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          done(stage.intake.clear(stage.runs.task(run, "a")));
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.epochLock(), next::campaign, intent::apply);
          assertThat(raced.secondFailure()).isNotNull();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.QUEUED);
          stage.epoch = raced.first().orElseThrow();
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }
}
