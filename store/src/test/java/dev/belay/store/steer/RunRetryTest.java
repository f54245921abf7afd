package dev.belay.store.steer;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.run.RunState;
import dev.belay.engine.plan.Plans.PlannedRun;
import dev.belay.engine.port.PlanReads.StoredRun;
import dev.belay.engine.steer.RunRetry;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.SpecCodec;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunRetryTest {

  /** When a fails, rescue runs and quiet is skipped; when a is skipped, quiet runs. */
  private static final String FILE =
      """
      name: w
      run: {max_active: 1}
      tasks:
        - {name: a, command: [x]}
        - {name: b, command: [x]}
        - {name: c, command: [x], depends_on: [a]}
        - {name: rescue, command: [x], depends_on: [a], trigger_rule: all_failed}
        - {name: quiet, command: [x], depends_on: [a], trigger_rule: all_skipped}
      """;

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private RunId run = new RunId(store.ids().next());

  @BeforeEach
  void started() {
    store.clear();
    planning.register(FILE);
    run = planning.trigger("w", 1).getFirst();
    planning.plan();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void failed_tasks_and_what_was_skipped_for_them_are_tried_again_and_the_rest_is_kept() {
    fail();
    assertThat(tasks())
        .isEqualTo(
            "a FAILED 1, b SUCCEEDED 1, c UPSTREAM_FAILED 1, quiet SKIPPED 1, rescue SKIPPED 1");
    assertThat(store.steering.retryRun(run, "ann")).isEqualTo(new RunRetry.Done(3));
    assertThat(planning.state(run)).isEqualTo("QUEUED");
    assertThat(tasks())
        .isEqualTo("a WAITING 2, b SUCCEEDED 1, c WAITING 2, quiet WAITING 2, rescue SKIPPED 1");
    var a = planning.task(run, "a");
    assertThat(
            store.task(
                a, "concat_ws(' ', error_count, lost_count, reason, fencing_token, started_at)"))
        .isEqualTo("0 0 retried 1");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', from_state, to_state, reason, actor) FROM history WHERE"
                        + " task_id = '%s' ORDER BY id DESC LIMIT 1".formatted(a)))
        .isEqualTo("FAILED WAITING retried ann");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', from_state, to_state, reason, actor) FROM run_history"
                        + " ORDER BY id DESC LIMIT 1"))
        .isEqualTo("FAILED QUEUED retried ann");
    assertThat(store.rows().text("SELECT generation FROM run")).isEqualTo("2");
    assertThat(store.rows().hinted()).contains("runChanged");

    planning.plan();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    planning.finish(run, "a", 99);
    planning.plan();
    planning.finish(run, "quiet", 0);
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("SUCCEEDED completed");
    assertThat(tasks())
        .isEqualTo("a SKIPPED 2, b SUCCEEDED 1, c SKIPPED 2, quiet SUCCEEDED 2, rescue SKIPPED 1");
    assertThat(store.rows().count("attempt WHERE task_id = '" + a + "'")).isEqualTo(2);
  }

  @Test
  void cancelled_run_is_retried_and_its_cancel_forgotten() {
    store.steering.cancelRun(run, "me");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("CANCELLED cancelled");
    assertThat(store.steering.retryRun(run, "ann")).isEqualTo(new RunRetry.Done(5));
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    assertThat(store.task(planning.task(run, "a"))).isEqualTo("SCHEDULED ready");
  }

  @Test
  void run_that_is_open_or_has_succeeded_is_not_retried() {
    assertThat(store.steering.retryRun(run, "me")).isEqualTo(refused(RunState.RUNNING));
    var waiting = planning.trigger("w", 1).getFirst();
    planning.plan();
    assertThat(store.steering.retryRun(waiting, "me")).isEqualTo(refused(RunState.QUEUED));
    store.rows().run("UPDATE task SET state = 'SUCCEEDED', ended_at = belay_now()");
    store.rows().run("UPDATE run SET state = 'SUCCEEDED', ended_at = belay_now()");
    assertThat(store.steering.retryRun(run, "me")).isEqualTo(refused(RunState.SUCCEEDED));
    assertThat(store.steering.retryRun(new RunId(store.ids().next()), "me"))
        .isEqualTo(new RunRetry.NotFound());
  }

  /** A deadline counts from the start of the run, and a waiting run has not started. */
  @Test
  void retried_task_has_no_deadline_until_its_run_starts_again_and_then_a_whole_one() {
    planning.register(
        "name: due\ntasks: [{name: a, command: [x], deadline: 2h, fencing: strict},"
            + " {name: b, command: [x], depends_on: [a], deadline: 3h}, {name: c, command: [x],"
            + " deadline: 4h}]");
    var due = planning.trigger("due", 1).getFirst();
    planning.plan();
    assertThat(left(due)).isEqualTo("a 2, b 3, c 4");
    planning.finish(due, "c", 0);
    planning.finish(due, "a", 1);
    planning.plan();
    store.rows().run("UPDATE task SET deadline_at = deadline_at - interval '10 hours'");
    store.steering.pause("default", "due", "me");
    store.steering.retryRun(due, "me");
    planning.plan();
    assertThat(planning.state(due)).isEqualTo("QUEUED paused");
    assertThat(left(due)).isEqualTo("a, b, c -6");
    store.steering.resume("default", "due", "me");
    planning.plan();
    assertThat(left(due)).isEqualTo("a 2, b 3, c -6");
    assertThat(store.task(planning.task(due, "a"), "state || ' ' || strict"))
        .isEqualTo("SCHEDULED true");
  }

  /** The hours that each task has left. */
  private String left(RunId of) {
    return store
        .rows()
        .text(
            "SELECT string_agg(concat_ws(' ', name, round(extract(epoch FROM deadline_at -"
                + " belay_now()) / 3600)), ', ' ORDER BY name) FROM task WHERE run_id = '%s'"
                    .formatted(of));
  }

  @Test
  void of_two_retries_at_once_one_wins() {
    fail();
    try (var race = new Race(store.rows(), "SELECT 1 FROM task ORDER BY id FOR UPDATE")) {
      var first = race.next(() -> store.steering.retryRun(run, "ann"));
      var second = race.next(() -> store.steering.retryRun(run, "bob"));
      race.release();
      assertThat(List.of(result(first), result(second)))
          .containsExactlyInAnyOrder(new RunRetry.Done(3), refused(RunState.QUEUED));
    }
    assertThat(store.rows().text("SELECT generation FROM run")).isEqualTo("2");
    assertThat(store.rows().count("mark")).isEqualTo(1);
    assertThat(store.rows().count("history WHERE reason = 'retried'")).isEqualTo(3);
  }

  /** The last task ends during a retry: the run is not over yet, then it is. */
  @Test
  void retry_beside_a_finishing_task_is_refused_until_the_run_has_ended() {
    planning.finish(run, "b", 0);
    var worker = store.newWorker();
    var a = planning.task(run, "a");
    var dispatch = store.claim(worker, a);
    try (var race =
        new Race(store.rows(), "SELECT 1 FROM task WHERE id = '" + a + "' FOR UPDATE")) {
      var end = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 42))));
      assertThat(store.steering.retryRun(run, "me")).isEqualTo(refused(RunState.RUNNING));
      race.release();
      result(end);
    }
    planning.plan();
    planning.finish(run, "rescue", 0);
    assertThat(store.steering.retryRun(run, "me")).isEqualTo(refused(RunState.RUNNING));
    planning.plan();
    assertThat(store.steering.retryRun(run, "me")).isEqualTo(new RunRetry.Done(3));
  }

  /** A late result of the former attempt is void. */
  @Test
  void late_report_of_the_former_attempt_changes_nothing() {
    var worker = store.newWorker();
    var a = planning.task(run, "a");
    var dispatch = store.claim(worker, a);
    store.results.write(List.of(store.exited(worker, dispatch, 1)));
    planning.finish(run, "b", 0);
    planning.plan();
    planning.finish(run, "rescue", 0);
    planning.plan();
    store.steering.retryRun(run, "me");
    store.results.write(List.of(store.exited(worker, dispatch, 1)));
    assertThat(store.task(a)).isEqualTo("WAITING retried");
    planning.plan();
    store.results.write(List.of(store.exited(worker, dispatch, 1)));
    assertThat(store.task(a)).isEqualTo("SCHEDULED ready");
    assertThat(store.task(a, "error_count")).isEqualTo("0");
  }

  /** A plan that reads the tasks before the retry and the run after it sees a finished run. */
  @Test
  void plan_that_saw_half_a_retry_does_not_end_the_run() throws Graph.NotAGraph {
    fail();
    var before = store.plans.readRuns(List.of(run)).getFirst();
    store.steering.retryRun(run, "me");
    var half = new RunView(RunState.QUEUED, null, before.view().scope(), before.view().tasks());
    var graph = Graph.of(SpecCodec.fromJson(store.plans.readSpec(before.workflow())));
    var plan = new Planner(new CelExpressions()).plan(graph, half);
    assertThat(plan.end()).isNotNull();
    var torn = new StoredRun(run, before.tenant(), before.workflow(), half);
    store.planWriter.apply(
        store.epoch(), List.of(new PlannedRun(torn, plan, List.of())), List.of());
    assertThat(planning.state(run)).isEqualTo("QUEUED");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    assertThat(store.task(planning.task(run, "a"))).isEqualTo("SCHEDULED ready");
  }

  @Test
  void retried_run_waits_for_its_turn_and_goes_before_younger_ones() {
    fail();
    var others = planning.trigger("w", 2);
    planning.plan();
    store.steering.retryRun(run, "me");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("QUEUED max_active");
    assertThat(planning.running("w")).isEqualTo(1);
    store.steering.cancelRun(others.get(0), "me");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    assertThat(planning.state(others.get(1))).isEqualTo("QUEUED max_active");
  }

  @Test
  void retried_run_of_a_paused_workflow_waits_and_can_be_cancelled() {
    fail();
    store.steering.pause("default", "w", "me");
    store.steering.retryRun(run, "me");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("QUEUED paused");
    store.steering.cancelRun(run, "me");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("CANCELLED cancelled");
  }

  @Test
  void run_that_was_given_up_before_it_had_tasks_is_planned_again() {
    var waiting = planning.trigger("w", 1).getFirst();
    store
        .rows()
        .run(
            "UPDATE run SET state = 'FAILED', reason = 'unplannable', ended_at = belay_now() WHERE"
                + " id = '%s'".formatted(waiting));
    assertThat(store.steering.retryRun(waiting, "me")).isEqualTo(new RunRetry.Done(0));
    store.steering.cancelRun(run, "me");
    planning.plan();
    assertThat(planning.state(waiting)).isEqualTo("RUNNING");
  }

  private static RunRetry refused(RunState state) {
    return new RunRetry.Refused(state);
  }

  /** Task a fails, and rescue reports that there was nothing to do. */
  private void fail() {
    planning.finish(run, "b", 0);
    planning.finish(run, "a", 1);
    planning.plan();
    planning.finish(run, "rescue", 99);
    planning.plan();
    assertThat(planning.state(run)).startsWith("FAILED");
  }

  private String tasks() {
    return store
        .rows()
        .text(
            "SELECT string_agg(concat_ws(' ', name, state, generation), ', ' ORDER BY name) FROM"
                + " task WHERE run_id = '%s'".formatted(run));
  }
}
