package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task that somebody ends for a reason. */
abstract class TerminateContract extends Contract {

  static final List<AbortReason> REASONS =
      Arrays.stream(AbortReason.values()).filter(AbortReason::isForPeople).toList();

  private static final List<Outcome> WITHOUT_SUCCESS =
      List.of(
          new Outcome.Exited(1, 0),
          new Outcome.Exited(143, 15),
          new Outcome.TimedOut(Duration.ofSeconds(1)),
          new Outcome.Aborted("something else"),
          new Outcome.StartFailed("no such file"),
          new Outcome.Refused("full"),
          new Outcome.Lost("worker_restarted", Duration.ZERO));

  TerminateContract(Ground ground) {
    super(ground);
  }

  static WorkerEvent ended(Dispatched task, Outcome outcome) {
    return WorkerEvent.Ended.of(
        task.to().worker(), task.to().session(), task.id(), task.task(), outcome);
  }

  @Test
  void reason_decides_however_the_attempt_ends_without_success() {
    for (var reason : REASONS) {
      for (var outcome : WITHOUT_SUCCESS) {
        var task = stage.dispatched(RETRIES);
        assertThat(stage.intake.terminateTask(task.task(), reason))
            .isEqualTo(new Terminate.Asked(task.id()));
        assertThat(stage.heartbeat(ended(task, outcome))).containsExactly(Answer.APPLIED);
        assertThat(stage.path(task.task()))
            .as("%s", outcome)
            .endsWith(reason.leadsTo() + " " + reason.word());
      }
    }
  }

  /** Given back, it has all its retries: the policy allows one after an error. */
  @Test
  void what_is_given_back_has_used_no_retry() {
    var first = stage.running(RETRIES);
    stage.intake.terminateTask(first.task(), AbortReason.PREEMPTION_TIMEOUT);
    stage.heartbeat(first.killed(15));
    var second = stage.claimed(first.to(), first.task());
    assertThat(stage.abortReason(second)).isNull();
    assertThat(stage.attempt(first).details().abortReason()).isEqualTo("preemption_timeout");
    stage.heartbeat(second.exitedAtOnce(1));
    assertThat(stage.path(first.task())).endsWith("PENDING exit_code: 1");
  }

  @Test
  void idle_task_changes_at_once_or_there_is_nothing_to_do() {
    for (var reason : REASONS) {
      var scheduled = stage.submit(RETRIES);
      changes(scheduled, reason, TaskState.SCHEDULED);
      var pending = stage.running(RETRIES);
      stage.heartbeat(pending.exited(1));
      changes(pending.task(), reason, TaskState.PENDING);
      var blocked = UnblockRaceContract.blocked(stage);
      changes(blocked.task(), reason, TaskState.BLOCKED);
      stage.runs.registerChain();
      changes(stage.runs.task(stage.runs.started(), "b"), reason, TaskState.WAITING);
    }
  }

  private void changes(TaskId task, AbortReason reason, TaskState from) {
    var before = stage.path(task);
    var to = reason.appliesTo(from);
    var answer = stage.intake.terminateTask(task, reason);
    if (to.isEmpty()) {
      assertThat(answer).isEqualTo(new Terminate.NothingToDo(from));
      assertThat(stage.path(task)).isEqualTo(before);
    } else {
      assertThat(answer).isEqualTo(new Terminate.Done(to.get()));
      assertThat(stage.path(task)).endsWith(to.get() + " " + reason.word());
    }
    // Nothing is left for the next reason to be confused by.
    stage.cancel(task);
  }

  @Test
  void history_names_who_asked_and_why() {
    var running = stage.running(RETRIES);
    var idle = stage.submit(RETRIES);
    for (var task : List.of(running.task(), idle)) {
      stage
          .intake
          .steering()
          .terminateTask(task, AbortReason.COST_LIMIT_REACHED, "too dear", "alice");
    }
    stage.heartbeat(running.killed(15));
    for (var task : List.of(running.task(), idle)) {
      var last =
          stage.observed.taskChangesAfter(0).stream()
              .filter(change -> change.task().equals(task))
              .toList()
              .getLast();
      assertThat(last.reason()).isEqualTo("cost_limit_reached: too dear");
      assertThat(last.actor()).isEqualTo("alice");
      assertThat(last.to()).isEqualTo(TaskState.BLOCKED);
    }
  }

  @Test
  void deadline_leaves_an_earlier_reason() {
    for (var reason : REASONS) {
      var deadline = Duration.ofSeconds(60);
      var task = stage.claimed(stage.newWorker(), stage.submit(RETRIES, Stage.POOL, 50, deadline));
      stage.intake.terminateTask(task.task(), reason);
      stage.clock.step(deadline);
      assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).count()).isZero();
      assertThat(stage.abortReason(task)).isEqualTo(reason.word());
      stage.heartbeat(task.exitedAtOnce(0));
    }
  }

  @Test
  void slot_counts_until_the_attempt_is_settled() {
    var task = stage.running(RETRIES);
    stage.intake.terminateTask(task.task(), AbortReason.GRACEFUL_SHUTDOWN);
    assertThat(held()).containsExactly(task.id());
    stage.heartbeat(task.killed(15));
    assertThat(held()).isEmpty();
  }

  private List<DispatchId> held() {
    return stage.dispatches.readWorkers().held().stream().map(Held::dispatch).toList();
  }

  /** The run is cancelled after its task was asked to end, and the task waits again. */
  @Test
  void cancel_of_the_run_is_not_forgotten_when_the_task_is_given_back_or_parked() {
    for (var reason : List.of(AbortReason.GRACEFUL_SHUTDOWN, AbortReason.COST_LIMIT_REACHED)) {
      stage.runs.registerOne("{}");
      var run = stage.runs.started();
      var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
      stage.intake.terminateTask(task.task(), reason);
      stage.runs.cancel(run);
      stage.runs.plan();
      stage.heartbeat(task.exitedAtOnce(1));
      assertThat(stage.state(task.task())).isEqualTo(reason.leadsTo());
      stage.runs.plan();
      assertThat(stage.path(task.task())).endsWith("CANCELLED cancelled");
      assertThat(stage.path(run)).endsWith("CANCELLED");
    }
  }

  @Test
  void late_success_counts_while_the_task_waits_or_is_parked_and_not_once_it_has_ended() {
    for (var reason : REASONS) {
      var task = stage.running(RETRIES);
      stage.intake.terminateTask(task.task(), reason);
      stage.heartbeat(task.lost());
      assertThat(stage.state(task.task())).isEqualTo(reason.leadsTo());
      stage.heartbeat(task.exited(0));
      boolean over = reason.leadsTo().isTerminal();
      assertThat(stage.state(task.task())).isEqualTo(over ? reason.leadsTo() : TaskState.SUCCEEDED);
      assertThat(stage.attempt(task).lateOutcome()).isNotNull();
    }
  }
}
