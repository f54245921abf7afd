package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A claim or a retry that replaces an attempt, and somebody else who writes about that attempt. */
abstract class AttemptRaceContract extends RaceContract {

  AttemptRaceContract(Ground ground) {
    super(ground);
  }

  /** The row that the claim read before did not have it. */
  @Test
  void late_outcome_before_the_next_claim_stays_with_its_attempt() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.heartbeat(first.exited(4)),
                  () -> stage.claim(first.to(), next));
          assertThat(raced.first()).containsExactly(Answer.DUPLICATE);
          assertThat(raced.second()).containsExactly(first.task());
          keptApart(stage, first, next);
        });
  }

  @Test
  void late_outcome_behind_the_next_claim_stays_with_its_attempt() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.claim(first.to(), next),
                  () -> stage.heartbeat(first.exited(4)));
          assertThat(raced.first()).containsExactly(first.task());
          assertThat(raced.second()).containsExactly(Answer.VOID);
          keptApart(stage, first, next);
        });
  }

  /** It is written before the outcome, in a transaction of its own. */
  @Test
  void lost_output_stays_with_its_attempt_before_and_behind_the_next_claim() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          stage
              .race(
                  Contended.task(first.task()),
                  () -> stage.heartbeat(first.exitedInDetail(4, "late", 7)),
                  () -> stage.claim(first.to(), next))
              .second();
          keptApart(stage, first, next);
          assertThat(stage.attempt(first).details().outputLost()).isEqualTo(7);
        });
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          stage
              .race(
                  Contended.task(first.task()),
                  () -> stage.claim(first.to(), next),
                  () -> stage.heartbeat(first.exitedInDetail(4, "late", 7)))
              .second();
          keptApart(stage, first, next);
          assertThat(stage.attempt(first).details().outputLost()).isEqualTo(7);
        });
  }

  private static void keptApart(Stage stage, Dispatched first, Claim next) {
    assertThat(stage.attempt(first).lateOutcome()).contains("code=4");
    var second = stage.attempt(new Dispatched(first.task(), next.dispatch(), first.to()));
    assertThat(second.ended()).isFalse();
    assertThat(second.lateOutcome()).isNull();
    assertThat(second.details().outputLost()).isNull();
  }

  /** It was read as a task without an attempt; since then one was refused. */
  @Test
  void claim_that_expects_no_attempt_does_not_replace_one() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var second = stage.newWorker();
          var raced =
              stage.race(
                  Contended.worker(second.worker()).onlyBySecond(),
                  () -> refusedOne(stage, stage.claimed(stage.newWorker(), task)),
                  () -> stage.claim(second, stage.firstClaimOf(task)));
          assertThat(raced.second()).isEmpty();
          assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
          assertThat(stage.attempt(raced.first()).ended()).isTrue();
        });
  }

  @Test
  void claim_that_may_replace_an_attempt_keeps_the_one_that_is_there() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var second = stage.newWorker();
          var next = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.worker(second.worker()).onlyBySecond(),
                  () -> refusedOne(stage, stage.claimed(stage.newWorker(), task)),
                  () -> stage.claim(second, next));
          assertThat(raced.second()).containsExactly(task);
          assertThat(stage.attempt(raced.first()).details().endReason()).isEqualTo("refused: full");
          var now = stage.attempt(new Dispatched(task, next.dispatch(), second));
          assertThat(now.claimed().number()).isEqualTo(2);
        });
  }

  /** Whether it takes the task or leaves it for the next time, no attempt is lost. */
  @Test
  void claim_behind_another_attempt_loses_none() {
    inEveryWay(
        stage -> {
          var oldest = stage.lostAndDue();
          var second = stage.newWorker();
          var next = stage.claimOf(oldest.task());
          var raced =
              stage.race(
                  Contended.worker(second.worker()).onlyBySecond(),
                  () -> refusedOne(stage, stage.claimed(stage.newWorker(), oldest.task())),
                  () -> stage.claim(second, next));
          int claimed = raced.second().size();
          assertThat(
                  stage.observed.attempts(
                      List.of(oldest.id(), raced.first().id(), next.dispatch())))
              .hasSize(2 + claimed);
          assertThat(stage.attempt(oldest).ended()).isTrue();
          assertThat(stage.attempt(raced.first()).ended()).isTrue();
          assertThat(stage.path(oldest.task())).hasSize(7 + claimed);
        });
  }

  private static Dispatched refusedOne(Stage stage, Dispatched refused) {
    assertThat(stage.heartbeat(refused.refused())).containsExactly(Answer.APPLIED);
    return refused;
  }

  @Test
  void cancel_behind_the_next_claim_asks_only_the_new_attempt() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var next = stage.claimOf(first.task());
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.claim(first.to(), next),
                  () -> stage.cancel(first.task()));
          assertThat(raced.first()).containsExactly(first.task());
          assertThat(raced.second()).isTrue();
          var second = new Dispatched(first.task(), next.dispatch(), first.to());
          assertThat(stage.abortReason(second)).isEqualTo("cancelled");
          assertThat(stage.attempt(first).details().abortReason()).isNull();
        });
  }

  @Test
  void claim_behind_a_cancel_replaces_no_attempt() {
    inEveryWay(
        stage -> {
          var first = stage.lostAndDue();
          var before = stage.attempt(first);
          var raced =
              stage.race(
                  Contended.task(first.task()),
                  () -> stage.cancel(first.task()),
                  () -> stage.claim(first.to(), stage.claimOf(first.task())));
          assertThat(raced.second()).isEmpty();
          assertThat(stage.attempt(first)).isEqualTo(before);
          assertThat(stage.path(first.task())).endsWith("SCHEDULED due", "CANCELLED cancelled");
        });
  }

  /** Only an attempt that runs is asked to end. */
  @Test
  void cancel_behind_the_end_asks_no_attempt() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exited(1)),
                  () -> stage.cancel(task.task()));
          assertThat(raced.second()).isTrue();
          assertThat(stage.attempt(task).details().abortReason()).isNull();
          assertThat(stage.path(task.task())).endsWith("CANCELLED cancelled");
        });
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exitedAtOnce(1)),
                  () -> stage.runs.cancel(run));
          assertThat(raced.second()).isTrue();
          assertThat(stage.attempt(task).details().abortReason()).isNull();
          assertThat(stage.path(task.task())).endsWith("FAILED exit_code: 1");
        });
  }

  @Test
  void plan_behind_the_end_asks_no_attempt() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          stage.runs.cancel(run);
          var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.task(task.task()),
                  () -> stage.heartbeat(task.exitedAtOnce(1)),
                  intent::apply);
          assertThat(raced.second().lostMoves()).isEqualTo(1);
          assertThat(raced.second().toAbort()).isEmpty();
          assertThat(stage.attempt(task).details().abortReason()).isNull();
        });
  }

  @Test
  void cancel_of_a_run_behind_a_deadline_leaves_its_reason() {
    inEveryWay(
        stage -> {
          var run = startedWithDeadlines(stage);
          var tasks = claimBoth(stage, run);
          deadlineIsFirst(stage, tasks, () -> stage.runs.cancel(run));
        });
  }

  /** The plan asks the attempts, because they began after the cancel. */
  @Test
  void plan_behind_a_deadline_leaves_its_reason() {
    inEveryWay(
        stage -> {
          var run = startedWithDeadlines(stage);
          stage.runs.cancel(run);
          var tasks = claimBoth(stage, run);
          var intent = stage.runs.intend(run);
          deadlineIsFirst(stage, tasks, intent::apply);
        });
  }

  private static RunId startedWithDeadlines(Stage stage) {
    stage.runs.register(
        "name: w\ntasks: [{name: a, command: [x], deadline: 60s},"
            + " {name: b, command: [x], deadline: 60s}]");
    return stage.runs.started();
  }

  private static List<Dispatched> claimBoth(Stage stage, RunId run) {
    return Stream.of("a", "b")
        .map(name -> stage.runs.task(run, name))
        .sorted()
        .map(task -> stage.claimed(stage.newWorker(), task))
        .toList();
  }

  /** The second waits for the first of two tasks, while the reaper aborts the other one. */
  private static <T> void deadlineIsFirst(Stage stage, List<Dispatched> tasks, Supplier<T> second) {
    stage.clock.step(Duration.ofSeconds(60));
    var raced =
        stage.race(
            Contended.task(tasks.getFirst().task()).onlyBySecond(),
            () -> stage.reaps.expireDeadlines(stage.epoch, 10),
            second);
    assertThat(raced.second()).isNotNull();
    var last = tasks.getLast();
    boolean reaped = raced.first().toTell().contains(last.to().worker());
    assertThat(stage.abortReason(last)).isEqualTo(reaped ? "deadline_passed" : "cancelled");
  }

  @Test
  void late_success_behind_a_retry_is_void_and_stays_with_its_attempt() {
    inEveryWay(
        stage -> {
          var lost = lostInFailedRun(stage);
          var raced =
              stage.race(
                  Contended.task(lost.task()),
                  () -> stage.intake.retryRun(lost.run()),
                  () -> stage.heartbeat(lost.attempt().exited(0)));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).containsExactly(Answer.VOID);
          assertThat(stage.state(lost.task())).isEqualTo(TaskState.WAITING);
          assertThat(stage.attempt(lost.attempt()).lateOutcome()).contains("code=0");
        });
  }

  @Test
  void retry_behind_a_late_success_leaves_it_with_its_attempt() {
    inEveryWay(
        stage -> {
          var lost = lostInFailedRun(stage);
          var raced =
              stage.race(
                  Contended.task(lost.task()),
                  () -> stage.heartbeat(lost.attempt().exited(0)),
                  () -> stage.intake.retryRun(lost.run()));
          assertThat(raced.first()).containsExactly(Answer.DUPLICATE);
          assertThat(raced.second()).isTrue();
          assertThat(stage.state(lost.task())).isEqualTo(TaskState.WAITING);
          assertThat(stage.attempt(lost.attempt()).lateOutcome()).contains("code=0");
        });
  }

  private record LostInRun(RunId run, Dispatched attempt) {
    TaskId task() {
      return attempt.task();
    }
  }

  private static LostInRun lostInFailedRun(Stage stage) {
    stage.runs.register("name: w\ntasks: [{name: a, command: [x], on_worker_lost: fail}]");
    var run = stage.runs.started();
    var attempt = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.heartbeat(attempt.started());
    stage.heartbeat(attempt.lost());
    stage.runs.plan();
    return new LostInRun(run, attempt);
  }

  /** Same worker, session and state as when it began; only the dispatch is another one. */
  @Test
  void success_of_a_refused_attempt_does_not_end_the_next_one() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          var other = stage.claimed(worker, stage.submit(RETRIES));
          var refused = stage.claimed(worker, stage.submit(RETRIES));
          var raced =
              stage.race(
                  Contended.task(other.task()).onlyBySecond(),
                  () -> {
                    refusedOne(stage, refused);
                    return stage.claimed(worker, refused.task());
                  },
                  () -> stage.heartbeat(other.exitedAtOnce(0), refused.exitedAtOnce(0)));
          assertThat(raced.second()).containsExactly(Answer.APPLIED, Answer.VOID);
          assertThat(stage.state(refused.task())).isEqualTo(TaskState.DISPATCHED);
          assertThat(stage.attempt(raced.first()).ended()).isFalse();
          assertThat(stage.attempt(refused).lateOutcome()).contains("code=0");
        });
  }
}
