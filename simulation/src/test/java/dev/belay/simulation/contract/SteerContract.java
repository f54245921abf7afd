package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.steer.Selection;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.engine.steer.TaskSteer.Changed;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people do to single tasks. */
abstract class SteerContract extends Contract {

  static final String DIAMOND =
      """
      name: w
      tasks:
        - {name: a, command: [x]}
        - {name: b, command: [x], depends_on: [a]}
        - {name: c, command: [x], depends_on: [a]}
        - {name: d, command: [x], depends_on: [b, c]}
      """;

  SteerContract(Ground ground) {
    super(ground);
  }

  static List<Changed> done(TaskSteer answer) {
    assertThat(answer).isInstanceOf(TaskSteer.Done.class);
    return ((TaskSteer.Done) answer).tasks();
  }

  static String refused(TaskSteer answer) {
    assertThat(answer).isInstanceOf(TaskSteer.Refused.class);
    return ((TaskSteer.Refused) answer).why();
  }

  private static List<String> names(TaskSteer answer) {
    return done(answer).stream().map(Changed::name).toList();
  }

  /** All four tasks succeeded. */
  private RunId diamond() {
    stage.runs.register(DIAMOND);
    var run = stage.runs.started();
    for (var name : List.of("a", "b", "c", "d")) {
      stage.runs.finish(run, name, 0);
      stage.runs.plan();
    }
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
    return run;
  }

  private boolean hasDeadline(RunId run) {
    return Objects.requireNonNull(stage.runs.read(run).view().tasks().get("a"))
        .life()
        .hasDeadline();
  }

  private int generation(RunId run, String name) {
    var task = stage.runs.read(run).view().tasks().get(name);
    assertThat(task).isNotNull();
    return task == null ? 0 : task.life().generation();
  }

  @Test
  void cleared_middle_task_runs_again_with_what_comes_after_it_and_nothing_else() {
    var run = diamond();
    var b = stage.runs.task(run, "b");
    var would = stage.intake.clear(b, Selection.DOWNSTREAM, true);
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
    assertThat(stage.path(b)).endsWith("SUCCEEDED exit_code: 0");
    var does = stage.intake.clear(b);
    assertThat(does).isEqualTo(would);
    assertThat(names(does)).containsExactly("b", "d");
    assertThat(stage.path(b)).endsWith("SUCCEEDED exit_code: 0", "WAITING cleared");
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    stage.runs.finish(run, "d", 0);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
    assertThat(List.of("a", "b", "c", "d"))
        .extracting(name -> generation(run, name))
        .containsExactly(1, 2, 1, 2);
  }

  @Test
  void clear_takes_the_upstream_along_or_leaves_the_downstream_out() {
    var run = diamond();
    var d = stage.runs.task(run, "d");
    assertThat(names(stage.intake.clear(d, new Selection(true, true), true)))
        .containsExactlyInAnyOrder("a", "b", "c", "d")
        .startsWith("a")
        .endsWith("d");
    var a = stage.runs.task(run, "a");
    assertThat(names(stage.intake.clear(a, new Selection(false, false), false)))
        .containsExactly("a");
  }

  @Test
  void second_clear_finds_that_it_waits_or_is_under_way_and_says_so() {
    var run = diamond();
    var a = stage.runs.task(run, "a");
    done(stage.intake.clear(a));
    assertThat(stage.intake.clear(a)).isEqualTo(new TaskSteer.Unchanged(TaskState.WAITING));
    assertThat(generation(run, "a")).isEqualTo(2);
    stage.runs.plan();
    assertThat(
            refused(
                stage.intake.clear(stage.runs.task(run, "b"), new Selection(true, true), false)))
        .contains("a (" + a + ") is SCHEDULED");
  }

  @Test
  void late_outcome_of_an_earlier_generation_is_void() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    var first = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.heartbeat(first.started());
    stage.heartbeat(first.lost());
    stage.cancel(first.task());
    assertThat(stage.state(first.task())).isEqualTo(TaskState.CANCELLED);
    done(stage.intake.retryTask(first.task()));
    assertThat(stage.heartbeat(first.exited(0))).containsExactly(Answer.VOID);
    assertThat(stage.state(first.task())).isEqualTo(TaskState.WAITING);
    assertThat(stage.attempt(first).claimed().generation()).isEqualTo(1);
  }

  @Test
  void reopened_run_waits_for_its_turn() {
    stage.runs.registerOne("{max_active: 1}");
    var first = stage.runs.started();
    stage.runs.finish(first, "a", 0);
    stage.runs.plan();
    var second = stage.runs.started();
    done(stage.intake.clear(stage.runs.task(first, "a")));
    stage.runs.plan();
    assertThat(stage.runs.states(List.of(first, second)))
        .containsExactly(RunState.QUEUED, RunState.RUNNING);
  }

  @Test
  void cleared_task_of_a_running_run_has_its_deadline_again() {
    stage.runs.register(
        "name: w\ntasks: [{name: a, command: [x], deadline: 1m}, {name: b, command: [x]}]");
    var run = stage.runs.started();
    stage.runs.finish(run, "a", 0);
    stage.runs.plan();
    done(stage.intake.clear(stage.runs.task(run, "a")));
    assertThat(hasDeadline(run)).isFalse();
    stage.runs.plan();
    assertThat(hasDeadline(run)).isTrue();
    assertThat(stage.state(stage.runs.task(run, "a"))).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void retried_task_takes_what_its_failure_decided_along() {
    stage.runs.register(DIAMOND);
    var run = stage.runs.started();
    stage.runs.finish(run, "a", 0);
    stage.runs.plan();
    stage.runs.finish(run, "b", 1);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
    assertThat(names(stage.intake.retryTask(stage.runs.task(run, "b")))).containsExactly("b", "d");
    assertThat(refused(stage.intake.retryTask(stage.runs.task(run, "a")))).contains("SUCCEEDED");
    assertThat(refused(stage.intake.retryTask(stage.runs.task(run, "b")))).contains("WAITING");
    stage.runs.finish(run, "c", 0);
    stage.runs.plan();
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    stage.runs.finish(run, "d", 0);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void task_without_a_run_is_due_at_once_and_has_as_much_time_as_before() {
    var task = stage.submit(RETRIES, Stage.POOL, 50, Duration.ofMinutes(1));
    var first = stage.claimed(stage.newWorker(), task);
    stage.heartbeat(first.exitedAtOnce(0));
    for (int generation = 2; generation < 4; generation++) {
      stage.clock.step(Duration.ofMinutes(10));
      assertThat(done(stage.intake.clear(task)))
          .containsExactly(
              new Changed(task, "t", TaskState.SUCCEEDED, TaskState.PENDING, generation));
      assertThat(stage.promote()).isEqualTo(1);
      stage.reaps.expireDeadlines(stage.epoch, 10);
      assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
      stage.heartbeat(stage.claimed(first.to(), task).exitedAtOnce(0));
    }
  }

  @Test
  void marked_task_ends_again_and_its_run_goes_on_from_there() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    stage.runs.finish(run, "a", 1);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.FAILED);
    var a = stage.runs.task(run, "a");
    assertThat(names(stage.intake.mark(a, TaskState.SUCCEEDED))).containsExactly("a", "b");
    assertThat(stage.path(a)).endsWith("PENDING marked_succeeded", "SUCCEEDED marked_succeeded");
    assertThat(stage.intake.mark(a, TaskState.SUCCEEDED))
        .isEqualTo(new TaskSteer.Unchanged(TaskState.SUCCEEDED));
    stage.runs.plan();
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
    done(stage.intake.mark(stage.runs.task(run, "b"), TaskState.FAILED));
    stage.runs.plan();
    assertThat(stage.path(run)).endsWith("SUCCEEDED", "QUEUED", "FAILED");
  }

  @Test
  void marked_task_passes_pending_where_nothing_else_leads_to_its_end() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    var b = stage.runs.task(run, "b");
    done(stage.intake.mark(b, TaskState.SUCCEEDED));
    assertThat(stage.path(b))
        .containsExactly(
            "WAITING created", "PENDING marked_succeeded", "SUCCEEDED marked_succeeded");
    done(stage.intake.mark(stage.runs.task(run, "a"), TaskState.FAILED));
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void marked_task_that_runs_is_asked_to_end_and_becomes_so() {
    var running = stage.running(RETRIES);
    assertThat(stage.intake.mark(running.task(), TaskState.SUCCEEDED))
        .isEqualTo(new TaskSteer.Asked(TaskState.RUNNING, TaskState.SUCCEEDED));
    assertThat(stage.abortReason(running)).isEqualTo("marked_succeeded");
    assertThat(refused(stage.intake.mark(running.task(), TaskState.FAILED)))
        .contains("marked_succeeded");
    stage.heartbeat(running.killed(15));
    assertThat(stage.path(running.task()))
        .endsWith("RUNNING asked to end, marked_succeeded", "SUCCEEDED marked_succeeded");
    var fast = stage.running(RETRIES);
    stage.intake.mark(fast.task(), TaskState.FAILED);
    stage.heartbeat(fast.exited(0));
    assertThat(stage.state(fast.task())).isEqualTo(TaskState.SUCCEEDED);
    done(stage.intake.clear(fast.task()));
    assertThat(stage.path(fast.task())).endsWith("SUCCEEDED exit_code: 0", "PENDING cleared");
  }

  @Test
  void request_about_a_dispatched_task_comes_before_its_start_in_the_history() {
    var dispatched = stage.dispatched(RETRIES);
    stage.intake.mark(dispatched.task(), TaskState.FAILED);
    done(stage.intake.prioritize(dispatched.task(), 7));
    stage.heartbeat(dispatched.started());
    stage.intake.prioritize(dispatched.task(), 9);
    stage.heartbeat(dispatched.exited(0));
    assertThat(stage.path(dispatched.task()))
        .endsWith(
            "DISPATCHED claimed",
            "DISPATCHED asked to end, marked_failed",
            "DISPATCHED priority 50 -> 7",
            "RUNNING started",
            "RUNNING priority 7 -> 9",
            "SUCCEEDED exit_code: 0");
  }

  @Test
  void never_started_task_is_marked_when_its_attempt_is_settled() {
    var dispatched = stage.dispatched(RETRIES);
    stage.intake.mark(dispatched.task(), TaskState.SUCCEEDED);
    stage.heartbeat(dispatched.refused());
    assertThat(stage.path(dispatched.task())).endsWith("SUCCEEDED marked_succeeded");
  }

  @Test
  void skipped_task_lets_the_others_go_on_and_no_retry_decides_it_again() {
    stage.runs.register(
        "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x]},"
            + " {name: c, command: [x], depends_on: [a, b], trigger_rule: all_done}]");
    var run = stage.runs.started();
    var a = stage.runs.task(run, "a");
    done(stage.intake.skip(a));
    assertThat(stage.intake.skip(a)).isEqualTo(new TaskSteer.Unchanged(TaskState.SKIPPED));
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    stage.runs.finish(run, "c", 1);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.FAILED);
    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(stage.path(a)).containsExactly("SCHEDULED ready", "SKIPPED skipped");
    assertThat(refused(stage.intake.skip(stage.running(RETRIES).task()))).contains("Cancel it");
  }

  @Test
  void blocked_task_waits_until_it_is_unblocked() {
    var idle = stage.submit(RETRIES);
    done(stage.intake.block(idle));
    assertThat(stage.state(idle)).isEqualTo(TaskState.BLOCKED);
    assertThat(stage.intake.block(idle)).isEqualTo(new TaskSteer.Unchanged(TaskState.BLOCKED));
    assertThat(stage.intake.unblockTask(idle)).isTrue();
    var running = stage.running(RETRIES);
    assertThat(stage.intake.block(running.task())).isInstanceOf(TaskSteer.Asked.class);
    stage.heartbeat(running.killed(15));
    assertThat(stage.path(running.task())).endsWith("BLOCKED blocked");
    assertThat(stage.intake.unblockTask(running.task())).isTrue();
    stage.runs.registerChain();
    var run = stage.runs.started();
    assertThat(refused(stage.intake.block(stage.runs.task(run, "b")))).contains("waits for");
  }

  @Test
  void priority_is_changed_as_long_as_the_task_is_open() {
    var task = stage.submit(RETRIES);
    done(stage.intake.prioritize(task, 90));
    assertThat(stage.intake.prioritize(task, 90))
        .isEqualTo(new TaskSteer.Unchanged(TaskState.SCHEDULED));
    assertThat(stage.path(task)).endsWith("SCHEDULED priority 50 -> 90");
    stage.heartbeat(stage.claimed(stage.newWorker(), task).exitedAtOnce(0));
    assertThat(refused(stage.intake.prioritize(task, 1))).contains("SUCCEEDED");
  }

  @Test
  void nothing_of_a_run_that_is_being_cancelled_is_reopened() {
    stage.runs.register("name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x]}]");
    var run = stage.runs.started();
    stage.runs.finish(run, "a", 0);
    stage.claimed(stage.newWorker(), stage.runs.task(run, "b"));
    stage.runs.cancel(run);
    assertThat(refused(stage.intake.clear(stage.runs.task(run, "a")))).contains("being cancelled");
    assertThat(refused(stage.intake.mark(stage.runs.task(run, "a"), TaskState.FAILED)))
        .contains("being cancelled");
    stage.runs.plan();
  }

  @Test
  void unknown_task_is_not_found() {
    var none = new TaskId(stage.ids().next());
    assertThat(stage.intake.clear(none)).isEqualTo(new TaskSteer.NotFound());
    assertThat(stage.intake.block(none)).isEqualTo(new TaskSteer.NotFound());
  }
}
