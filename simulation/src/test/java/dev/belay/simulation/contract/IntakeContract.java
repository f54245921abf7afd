package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.Observed.TaskNow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients ask for, once or again. */
abstract class IntakeContract extends Contract {

  private final Runs runs = stage.runs;

  IntakeContract(Ground ground) {
    super(ground);
  }

  @Test
  void same_key_is_the_same_tasks() {
    var two = List.of(wanted(RETRIES, POOL, 1, null), wanted(RETRIES, POOL, 2, null));
    var ids = stage.intake.submit("k", two);
    assertThat(ids).hasSize(2).doesNotHaveDuplicates();
    assertThat(stage.intake.submit("k", two)).isEqualTo(ids);
    assertThat(stage.intake.submit("l", two)).doesNotContainAnyElementsOf(ids);
    assertThat(stage.observed.taskChangesAfter(0)).hasSize(4);
    assertThat(stage.observed.tasks(ids))
        .containsExactlyInAnyOrder(
            new TaskNow(ids.get(0), TaskState.SCHEDULED, 1, null),
            new TaskNow(ids.get(1), TaskState.SCHEDULED, 1, null));
  }

  @Test
  void same_key_is_the_same_run() {
    runs.registerOne("{}");
    var run = stage.intake.trigger("k", "w");
    assertThat(stage.intake.trigger("k", "w")).isEqualTo(run);
    assertThat(stage.intake.trigger("l", "w")).isNotEqualTo(run);
    assertThat(runs.marked()).hasSize(2);
  }

  @Test
  void changed_workflow_is_a_version_and_runs_keep_theirs() {
    runs.registerOne("{}");
    var first = runs.trigger();
    runs.registerOne("{}");
    var second = runs.trigger();
    runs.registerChain();
    var third = runs.trigger();
    assertThat(runs.read(second).workflow()).isEqualTo(runs.read(first).workflow());
    assertThat(runs.read(third).workflow()).isNotEqualTo(runs.read(first).workflow());
    runs.plan();
    assertThat(runs.read(first).view().tasks()).hasSize(1);
    assertThat(runs.read(third).view().tasks()).hasSize(2);
  }

  @Test
  void idle_task_is_cancelled_at_once_and_active_one_is_asked() {
    var idle = stage.submit(RETRIES);
    stage.cancel(idle);
    stage.cancel(idle);
    assertThat(stage.path(idle)).containsExactly("SCHEDULED submitted", "CANCELLED cancelled");
    var active = stage.dispatched(RETRIES);
    stage.cancel(active.task());
    stage.cancel(active.task());
    assertThat(stage.state(active.task())).isEqualTo(TaskState.DISPATCHED);
    assertThat(stage.abortReason(active)).isEqualTo("cancelled");
    var over = stage.dispatched(RETRIES);
    stage.heartbeat(over.exitedAtOnce(0));
    stage.cancel(over.task());
    assertThat(stage.state(over.task())).isEqualTo(TaskState.SUCCEEDED);
    stage.cancel(new TaskId(stage.ids().next()));
  }

  @Test
  void cancelled_task_of_a_run_marks_it() {
    runs.registerChain();
    var run = runs.started();
    stage.cancel(runs.task(run, "a"));
    assertThat(runs.marked()).containsExactly(run);
    runs.plan();
    assertThat(runs.state(run)).isEqualTo(RunState.FAILED);
  }

  @Test
  void wish_to_cancel_a_run_marks_it_once_and_not_when_it_is_over() {
    runs.registerOne("{}");
    var run = runs.started();
    runs.cancel(run);
    runs.cancel(run);
    assertThat(runs.marked()).containsExactly(run);
    runs.plan();
    assertThat(runs.state(run)).isEqualTo(RunState.CANCELLED);
    runs.cancel(run);
    assertThat(runs.marked()).isEmpty();
    runs.cancel(new RunId(stage.ids().next()));
    assertThat(runs.marked()).isEmpty();
  }

  @Test
  void retried_run_does_again_what_did_not_succeed() {
    runs.registerChain();
    var run = runs.started();
    assertThat(stage.intake.retryRun(run)).isFalse();
    runs.finish(run, "a", 0);
    runs.plan();
    runs.finish(run, "b", 1);
    assertThat(stage.intake.retryRun(run)).isFalse();
    runs.plan();
    assertThat(runs.state(run)).isEqualTo(RunState.FAILED);
    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(stage.intake.retryRun(run)).isFalse();
    assertThat(runs.marked()).containsExactly(run);
    assertThat(stage.path(runs.task(run, "b"))).endsWith("FAILED exit_code: 1", "WAITING retried");
    assertThat(stage.state(runs.task(run, "a"))).isEqualTo(TaskState.SUCCEEDED);
    runs.plan();
    runs.finish(run, "b", 0);
    runs.plan();
    assertThat(stage.path(run))
        .containsExactly("QUEUED", "RUNNING", "FAILED", "QUEUED", "RUNNING", "SUCCEEDED");
    assertThat(stage.intake.retryRun(run)).isFalse();
    assertThat(stage.intake.retryRun(new RunId(stage.ids().next()))).isFalse();
  }

  @Test
  void retried_run_is_wanted_again_and_waits_for_its_turn() {
    runs.registerOne("{max_active: 1}");
    var first = runs.started();
    runs.cancel(first);
    runs.plan();
    assertThat(runs.state(first)).isEqualTo(RunState.CANCELLED);
    var second = runs.started();
    var third = runs.started();
    assertThat(stage.intake.retryRun(first)).isTrue();
    assertThat(runs.read(first).view().ending()).isNull();
    runs.plan();
    assertThat(runs.states(List.of(first, second, third)))
        .containsExactly(RunState.QUEUED, RunState.RUNNING, RunState.QUEUED);
    runs.finish(second, "a", 0);
    runs.plan();
    assertThat(runs.state(first)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void late_end_of_the_generation_before_is_no_success_of_the_next() {
    runs.registerOne("{}");
    var run = runs.started();
    var lost = runs.finish(run, "a", 1);
    runs.plan();
    stage.intake.retryRun(run);
    stage.heartbeat(lost.exited(0));
    assertThat(stage.state(lost.task())).isEqualTo(TaskState.WAITING);
  }

  @Test
  void deadline_of_a_retried_task_counts_anew() {
    runs.register("name: w\ntasks: [{name: a, command: [x], deadline: 60s}]");
    var run = runs.started();
    runs.finish(run, "a", 1);
    runs.plan();
    stage.clock.step(Duration.ofMinutes(5));
    stage.intake.retryRun(run);
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).count()).isZero();
    runs.plan();
    stage.clock.step(Duration.ofSeconds(59));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).count()).isZero();
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).count()).isEqualTo(1);
  }

  @Test
  void pause_of_nothing_is_nothing() {
    stage.intake.pause("nope");
    stage.intake.resume("nope");
    runs.registerOne("{}");
    runs.resume();
    assertThat(runs.marked()).isEmpty();
  }
}
