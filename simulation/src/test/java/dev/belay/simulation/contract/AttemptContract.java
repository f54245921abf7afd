package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.BACKOFF;
import static dev.belay.simulation.contract.Stage.FAR_AWAY;
import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.simulation.Observed.TaskChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attempts that others replaced, and the history of all of them. */
abstract class AttemptContract extends Contract {

  AttemptContract(Ground ground) {
    super(ground);
  }

  /** It failed, said why, lost output, and its worker told another end later. */
  private Dispatched failedAndDue() {
    var failed = stage.running(RETRIES);
    stage.heartbeat(failed.exitedInDetail(1, "why", 7));
    assertThat(stage.heartbeat(failed.exited(4))).containsExactly(Answer.DUPLICATE);
    stage.clock.step(BACKOFF);
    assertThat(stage.promote()).isEqualTo(1);
    return failed;
  }

  @Test
  void candidate_says_whether_it_had_an_attempt() {
    var fresh = stage.submit(RETRIES);
    var again = stage.lostAndDue().task();
    var candidates = stage.candidates(Map.of(POOL, 10), List.of(), FAR_AWAY);
    assertThat(candidates).extracting(Candidate::task).containsExactly(fresh, again);
    assertThat(candidates).extracting(Candidate::again).containsExactly(false, true);
  }

  @Test
  void claim_that_expects_no_attempt_takes_nothing_and_loses_nothing() {
    var first = failedAndDue();
    var before = stage.attempt(first);
    assertThat(stage.claim(stage.newWorker(), stage.firstClaimOf(first.task()))).isEmpty();
    assertThat(stage.state(first.task())).isEqualTo(TaskState.SCHEDULED);
    assertThat(stage.attempt(first)).isEqualTo(before);
  }

  @Test
  void replaced_attempt_is_kept_with_all_that_is_known_of_it() {
    var first = failedAndDue();
    var before = stage.attempt(first);
    assertThat(before.exitCode()).isEqualTo(1);
    assertThat(before.lateOutcome()).contains("code=4");
    assertThat(before.details().detail()).isEqualTo("why");
    assertThat(before.details().endReason()).isEqualTo("exit_code: 1");
    assertThat(before.details().outputLost()).isEqualTo(7);

    var second = stage.claimed(stage.newWorker(), first.task());
    assertThat(stage.attempt(first)).isEqualTo(before);
    var now = stage.attempt(second);
    assertThat(now.claimed().number()).isEqualTo(2);
    assertThat(now.claimed().worker()).isEqualTo(second.to().worker());
    assertThat(List.of(now.ended(), now.startedAt() != null)).containsOnly(false);
    assertThat(now.exitCode()).isNull();
    assertThat(now.lateOutcome()).isNull();
    assertThat(now.details().outputLost()).isNull();
    assertThat(now.details().detail()).isNull();
  }

  @Test
  void one_claim_of_a_batch_that_may_replace_is_enough_for_all() {
    var again = stage.lostAndDue();
    var fresh = stage.submit(RETRIES);
    var worker = stage.newWorker();
    assertThat(stage.claim(worker, stage.firstClaimOf(again.task()), stage.firstClaimOf(fresh)))
        .containsExactly(fresh);
    var other = stage.submit(RETRIES);
    assertThat(stage.claim(worker, stage.firstClaimOf(again.task()), stage.claimOf(other)))
        .containsExactly(again.task(), other);
    assertThat(stage.attempt(again).ended()).isTrue();
  }

  @Test
  void past_attempt_keeps_its_first_late_outcome_and_its_lost_output() {
    var first = stage.lostAndDue();
    var second = stage.claimed(first.to(), first.task());
    assertThat(stage.heartbeat(first.exitedInDetail(5, "late", 9))).containsExactly(Answer.VOID);
    assertThat(stage.heartbeat(first.exited(6))).containsExactly(Answer.VOID);
    assertThat(stage.attempt(first).lateOutcome()).contains("code=5");
    assertThat(stage.attempt(first).details().outputLost()).isEqualTo(9);
    assertThat(stage.attempt(second).lateOutcome()).isNull();
    assertThat(stage.attempt(second).details().outputLost()).isNull();
    assertThat(stage.heartbeat(second.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
  }

  @Test
  void of_two_late_outcomes_in_one_batch_the_first_stays() {
    for (int i = 0; i < 8; i++) {
      var lost = stage.lostAndDue();
      var reborn = lost.by(stage.restarted(lost.to()));
      stage.heartbeat(reborn.exitedInDetail(5, "late", 9), lost.exitedInDetail(6, "later", 10));
      assertThat(stage.attempt(lost).lateOutcome()).contains("code=5");
      assertThat(stage.attempt(lost).details().outputLost()).isEqualTo(10);
    }
  }

  @Test
  void retry_of_a_run_leaves_its_attempts_behind() {
    stage.runs.registerOne("{}");
    var run = stage.runs.started();
    var first = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.heartbeat(first.started());
    stage.runs.cancel(run);
    stage.heartbeat(first.killed(15));
    stage.runs.plan();
    var before = stage.attempt(first);
    assertThat(before.details().abortReason()).isEqualTo("cancelled");
    assertThat(before.details().signal()).isEqualTo(15);

    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(stage.attempt(first)).isEqualTo(before);
    assertThat(stage.heartbeat(first.exited(0))).containsExactly(Answer.VOID);
    assertThat(stage.state(first.task())).isEqualTo(TaskState.WAITING);
    assertThat(stage.attempt(first).lateOutcome()).contains("code=0");

    stage.runs.plan();
    var claim = stage.firstClaimOf(first.task());
    assertThat(stage.claim(first.to(), claim)).containsExactly(first.task());
    var second = new Dispatched(first.task(), claim.dispatch(), first.to());
    var now = stage.attempt(second);
    assertThat(now.claimed().number()).isEqualTo(2);
    assertThat(now.claimed().generation()).isEqualTo(2);
    assertThat(now.details().abortReason()).isNull();
    assertThat(stage.attempt(first).claimed()).isEqualTo(before.claimed());
    assertThat(stage.heartbeat(first.exited(0))).containsExactly(Answer.VOID);
    assertThat(stage.heartbeat(second.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
  }

  @Test
  void history_has_the_steps_of_all_attempts_in_their_order() {
    var first = stage.lostAndDue();
    var refused = stage.claimed(stage.newWorker(), first.task());
    stage.heartbeat(refused.refused());
    stage.clock.step(Duration.ofSeconds(1));
    var last = stage.claimed(stage.newWorker(), first.task());
    stage.heartbeat(last.exitedAtOnce(0));
    stage.heartbeat(first.exited(0), refused.exited(0));
    assertThat(stage.path(first.task()))
        .containsExactly(
            "SCHEDULED submitted",
            "DISPATCHED claimed",
            "RUNNING started",
            "PENDING worker_restarted",
            "SCHEDULED due",
            "DISPATCHED claimed",
            "SCHEDULED refused: full",
            "DISPATCHED claimed",
            "RUNNING started",
            "SUCCEEDED exit_code: 0");
    assertThat(stage.times(first.task())).isSorted();
    assertThat(stage.observed.taskChangesAfter(0))
        .extracting(TaskChange::dispatch)
        .containsExactly(
            null,
            first.id(),
            first.id(),
            first.id(),
            null,
            refused.id(),
            refused.id(),
            last.id(),
            last.id(),
            last.id());
  }

  @Test
  void history_of_a_retried_task_begins_again_behind_its_end() {
    stage.runs.registerOne("{}");
    var run = stage.runs.started();
    var failed = stage.runs.finish(run, "a", 1);
    stage.runs.plan();
    stage.intake.retryRun(run);
    stage.runs.plan();
    stage.runs.finish(run, "a", 0);
    assertThat(stage.path(failed.task()))
        .containsExactly(
            "SCHEDULED ready",
            "DISPATCHED claimed",
            "RUNNING started",
            "FAILED exit_code: 1",
            "WAITING retried",
            "SCHEDULED ready",
            "DISPATCHED claimed",
            "RUNNING started",
            "SUCCEEDED exit_code: 0");
    assertThat(stage.observed.taskChangesAfter(0))
        .extracting(TaskChange::actor)
        .startsWith("planner", "dispatcher", "worker", "worker", "client", "planner");
  }

  @Test
  void first_reason_to_abort_stays() {
    var task = stage.claimed(stage.newWorker(), stage.submit(RETRIES, POOL, 50, BACKOFF));
    stage.clock.step(BACKOFF);
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).aborted()).isEqualTo(1);
    stage.cancel(task.task());
    assertThat(stage.abortReason(task)).isEqualTo("deadline_passed");
    stage.heartbeat(task.exitedAtOnce(1));
    assertThat(stage.path(task.task())).endsWith("TIMEOUT deadline_passed");
    assertThat(stage.attempt(task).details().abortReason()).isEqualTo("deadline_passed");
  }
}
