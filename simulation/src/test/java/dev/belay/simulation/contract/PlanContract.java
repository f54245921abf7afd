package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.simulation.Observed.RunChange;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Marks, plans, and whose turn it is. */
abstract class PlanContract extends Contract {

  private final Runs runs = stage.runs;

  PlanContract(Ground ground) {
    super(ground);
  }

  @Test
  void triggered_run_is_queued_and_marked() {
    runs.registerChain();
    var run = runs.trigger();
    assertThat(runs.marked()).containsExactly(run);
    var stored = runs.read(run);
    assertThat(stored.id()).isEqualTo(run);
    assertThat(stored.tenant()).isEqualTo("default");
    assertThat(stored.view().state()).isEqualTo(RunState.QUEUED);
    assertThat(stored.view().ending()).isNull();
    assertThat(stored.view().tasks()).isEmpty();
    assertThat(stored.view().scope().params()).isEmpty();
    assertThat(stored.view().scope().run())
        .containsEntry("id", run.toString())
        .containsEntry("workflow", "w")
        .containsEntry("tenant", "default")
        .containsEntry("created_at", stage.clock.instant().toString())
        .containsEntry("logical_date", stage.clock.instant().toString());
    assertThat(SpecCodec.fromJson(runs.plans.readSpec(stored.workflow())).tasks()).hasSize(2);
    assertThat(runs.plans.readRuns(List.of(new RunId(stage.ids().next())))).isEmpty();
  }

  @Test
  void plan_creates_the_tasks_and_starts_the_run() {
    runs.registerChain();
    var run = runs.trigger();
    var applied = runs.intend(run).apply();
    assertThat(applied.effects().created()).isEqualTo(2);
    assertThat(applied.effects().tasksEnded()).isEmpty();
    assertThat(applied.toAbort()).isEmpty();
    assertThat(applied.ended()).isEmpty();
    assertThat(applied.lostMoves()).isZero();
    assertThat(applied.released()).isZero();
    assertThat(runs.marked()).isEmpty();
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING");
    assertThat(stage.path(runs.task(run, "a"))).containsExactly("SCHEDULED ready");
    assertThat(stage.path(runs.task(run, "b"))).containsExactly("WAITING created");
  }

  @Test
  void run_goes_on_and_ends() {
    runs.registerChain();
    var run = runs.started();
    runs.finish(run, "a", 0);
    var moved = runs.intend(run).apply();
    assertThat(moved.effects().created()).isZero();
    assertThat(moved.ended()).isEmpty();
    assertThat(stage.path(runs.task(run, "b")))
        .containsExactly("WAITING created", "SCHEDULED ready");
    runs.finish(run, "b", 0);
    var ended = runs.intend(run).apply();
    assertThat(ended.ended()).isEqualTo(Map.of(run, RunState.SUCCEEDED));
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
    assertThat(stage.observed.unfinished()).isEmpty();
  }

  @Test
  void failure_travels_through_the_run() {
    runs.registerChain();
    var run = runs.started();
    runs.finish(run, "a", 1);
    var applied = runs.intend(run).apply();
    assertThat(applied.effects().tasksEnded()).isEqualTo(Map.of(TaskState.UPSTREAM_FAILED, 1));
    assertThat(applied.ended()).isEqualTo(Map.of(run, RunState.FAILED));
    assertThat(stage.path(runs.task(run, "b")))
        .containsExactly("WAITING created", "UPSTREAM_FAILED upstream_failed: a");
  }

  @Test
  void run_may_be_over_as_soon_as_it_is_planned() {
    runs.register("name: w\ntasks: [{name: a, command: [x], when: \"${{ 1 > 2 }}\"}]");
    var run = runs.trigger();
    var applied = runs.intend(run).apply();
    assertThat(applied.effects().created()).isEqualTo(1);
    assertThat(applied.effects().tasksEnded()).isEqualTo(Map.of(TaskState.SKIPPED, 1));
    assertThat(applied.ended()).isEqualTo(Map.of(run, RunState.SUCCEEDED));
    assertThat(stage.observed.runChangesAfter(0))
        .extracting(RunChange::to)
        .containsExactly(RunState.QUEUED, RunState.SUCCEEDED);
  }

  @Test
  void plan_written_twice_changes_nothing_more() {
    runs.registerChain();
    var run = runs.trigger();
    var intent = runs.intend(run);
    intent.apply();
    var again = intent.apply();
    assertThat(again.effects().created()).isZero();
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING");
    assertThat(stage.path(runs.task(run, "a"))).hasSize(1);
  }

  @Test
  void mark_that_came_after_the_marks_were_read_stays() {
    runs.registerChain();
    var run = runs.started();
    runs.finish(run, "a", 0);
    var intent = runs.intend(run);
    runs.cancel(run);
    intent.apply();
    assertThat(runs.marked()).containsExactly(run);
    runs.plan();
    assertThat(stage.path(run)).endsWith("CANCELLED");
  }

  @Test
  void move_of_a_task_that_is_elsewhere_is_lost_and_planned_again() {
    runs.registerChain();
    var run = runs.started();
    runs.finish(run, "a", 0);
    var intent = runs.intend(run);
    stage.cancel(runs.task(run, "b"));
    runs.plan();
    assertThat(stage.path(run)).endsWith("FAILED");
    var late = intent.apply();
    assertThat(late.lostMoves()).isEqualTo(1);
    assertThat(late.ended()).isEmpty();
    assertThat(stage.state(runs.task(run, "b"))).isEqualTo(TaskState.CANCELLED);
    assertThat(runs.marked()).containsExactly(run);
  }

  @Test
  void cancelled_run_cancels_what_is_idle_and_asks_what_is_active() {
    runs.registerChain();
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    runs.cancel(run);
    assertThat(stage.abortReason(active)).isEqualTo("cancelled");
    assertThat(runs.read(run).view().ending()).isEqualTo(AbortReason.CANCELLED);
    var applied = runs.intend(run).apply();
    assertThat(applied.effects().tasksEnded()).isEqualTo(Map.of(TaskState.CANCELLED, 1));
    assertThat(applied.toAbort()).isEmpty();
    assertThat(applied.ended()).isEmpty();
    stage.heartbeat(active.exitedAtOnce(1));
    runs.plan();
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "CANCELLED");
  }

  /** It was claimed after the wish, and before the plan. */
  @Test
  void plan_of_a_cancelled_run_asks_what_became_active() {
    runs.registerChain();
    var run = runs.started();
    runs.cancel(run);
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    assertThat(stage.abortReason(active)).isNull();
    var applied = runs.intend(run).apply();
    assertThat(applied.toAbort()).containsExactly(active.to().worker());
    assertThat(stage.abortReason(active)).isEqualTo("cancelled");
  }

  @Test
  void abort_of_a_task_that_is_over_is_lost() {
    runs.registerChain();
    var run = runs.started();
    runs.cancel(run);
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    var intent = runs.intend(run);
    stage.heartbeat(active.exitedAtOnce(0));
    assertThat(intent.apply().lostMoves()).isEqualTo(1);
    runs.plan();
    assertThat(stage.path(run)).endsWith("CANCELLED");
  }

  @Test
  void plan_of_another_epoch_writes_nothing() {
    runs.registerChain();
    var run = runs.trigger();
    var intent = runs.intend(run);
    var marks = runs.plans.readMarks(10).stream().map(Mark::id).toList();
    var now = stage.epoch;
    stage.epoch = new Epoch(7);
    assertThatThrownBy(intent::apply).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> runs.writer.postpone(stage.epoch, marks)).isInstanceOf(Deposed.class);
    stage.epoch = now;
    assertThat(runs.plans.readMarks(10)).extracting(Mark::id).isEqualTo(marks);
    assertThat(runs.state(run)).isEqualTo(RunState.QUEUED);
  }

  @Test
  void postponed_marks_go_behind_the_others_once_for_each_run() {
    runs.registerChain();
    var first = runs.trigger();
    var second = runs.trigger();
    runs.cancel(first);
    assertThat(runs.marked()).containsExactly(first, second, first);
    assertThat(runs.plans.readMarks(1)).extracting(Mark::run).containsExactly(first);
    var marks =
        runs.plans.readMarks(10).stream()
            .filter(mark -> mark.run().equals(first))
            .map(Mark::id)
            .toList();
    runs.writer.postpone(stage.epoch, marks);
    assertThat(runs.marked()).containsExactly(second, first);
  }

  @Test
  void marks_of_runs_that_are_being_planned_are_left_out_and_take_no_room() {
    runs.registerChain();
    var first = runs.trigger();
    var second = runs.trigger();
    var third = runs.trigger();
    runs.cancel(first);
    assertThat(runs.plans.readMarks(1, List.of(first)))
        .extracting(Mark::run)
        .containsExactly(second);
    assertThat(runs.plans.readMarks(10, List.of(first, third)))
        .extracting(Mark::run)
        .containsExactly(second);
    assertThat(runs.marked()).containsExactly(first, second, third, first);
  }

  @Test
  void no_failure_of_ours_is_the_content_s_fault() {
    assertThat(runs.writer.isRefused(new IllegalStateException("other"))).isFalse();
  }

  @Test
  void limit_holds_the_younger_runs_until_it_is_their_turn() {
    runs.registerOne("{max_active: 2}");
    var all = runs.trigger(5);
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RRQQQ"));
    assertThat(runs.marked()).isEmpty();
    runs.finish(all.get(1), "a", 0);
    assertThat(runs.intend(all.get(1)).apply().released()).isEqualTo(1);
    assertThat(runs.marked()).containsExactly(all.get(2));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RSRQQ"));
    runs.finish(all.get(0), "a", 1);
    runs.finish(all.get(2), "a", 0);
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("FSSRR"));
  }

  /** In one transaction, the oldest of those that ask. */
  @Test
  void together_no_more_start_than_may() {
    runs.registerOne("{max_active: 2}");
    var all = runs.trigger(4);
    var applied = runs.intend(all.get(3), all.get(2), all.get(1), all.get(0)).apply();
    assertThat(applied.effects().created()).isEqualTo(2);
    assertThat(runs.states(all)).containsExactly(states("RRQQ"));
  }

  @Test
  void older_run_goes_before_a_younger_one_that_asks_first() {
    runs.registerOne("{max_active: 1}");
    var all = runs.trigger(2);
    var applied = runs.intend(all.get(1)).apply();
    assertThat(applied.effects().created()).isZero();
    assertThat(applied.released()).isZero();
    assertThat(runs.marked()).containsExactly(all.get(0));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RQ"));
  }

  @Test
  void paused_workflow_starts_nothing_and_what_runs_goes_on() {
    runs.registerOne("{}");
    var first = runs.started();
    runs.pause();
    runs.pause();
    var waiting = runs.trigger(2);
    runs.plan();
    assertThat(runs.states(waiting)).containsExactly(states("QQ"));
    runs.finish(first, "a", 0);
    runs.plan();
    assertThat(runs.state(first)).isEqualTo(RunState.SUCCEEDED);
    assertThat(runs.states(waiting)).containsExactly(states("QQ"));
    runs.resume();
    assertThat(runs.marked()).containsExactlyElementsOf(waiting);
    runs.resume();
    assertThat(runs.marked()).hasSize(2);
    runs.plan();
    assertThat(runs.states(waiting)).containsExactly(states("RR"));
  }

  @Test
  void resume_releases_no_more_than_may_start() {
    runs.registerOne("{max_active: 2}");
    runs.pause();
    var all = runs.trigger(4);
    runs.plan();
    runs.resume();
    assertThat(runs.marked()).containsExactly(all.get(0), all.get(1));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RRQQ"));
  }

  @Test
  void limit_of_the_latest_version_is_in_force() {
    runs.registerOne("{max_active: 1}");
    var all = runs.trigger(4);
    runs.plan();
    runs.registerOne("{max_active: 3}");
    assertThat(runs.marked()).containsExactly(all.get(1), all.get(2));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RRRQ"));
    runs.registerOne("{}");
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RRRR"));
  }

  @Test
  void held_run_is_cancelled_at_once_and_lets_the_next_one_go() {
    runs.registerOne("{max_active: 1}");
    var all = runs.trigger(3);
    runs.plan();
    runs.cancel(all.get(1));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("RCQ"));
    runs.cancel(all.get(0));
    runs.plan();
    assertThat(runs.states(all)).containsExactly(states("CCR"));
  }

  @Test
  void deadline_counts_from_the_start_of_the_run() {
    runs.register("name: w\ntasks: [{name: a, command: [x], deadline: 60s}]");
    var run = runs.trigger();
    stage.clock.step(Duration.ofMinutes(5));
    runs.plan();
    stage.clock.step(Duration.ofSeconds(59));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).count()).isZero();
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10).ended()).isEqualTo(1);
    assertThat(stage.path(runs.task(run, "a"))).endsWith("TIMEOUT deadline_passed");
    assertThat(runs.marked()).containsExactly(run);
  }

  private static RunState[] states(String initials) {
    return initials
        .chars()
        .mapToObj(
            initial ->
                switch (initial) {
                  case 'Q' -> RunState.QUEUED;
                  case 'R' -> RunState.RUNNING;
                  case 'S' -> RunState.SUCCEEDED;
                  case 'F' -> RunState.FAILED;
                  default -> RunState.CANCELLED;
                })
        .toArray(RunState[]::new);
  }
}
