package dev.belay.store.runqueue;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.plan.Plans.PlannedRun;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.engine.port.PlanReads.StoredRun;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.statement.SteerStatements.Control;
import dev.belay.engine.steer.Cancel;
import dev.belay.store.Sql;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.store.leader.PostgresElection;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.SpecCodec;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunQueueTest {

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void fifty_runs_in_one_batch_start_three_the_oldest() {
    planning.registerOne("w", "{max_active: 3}");
    var runs = planning.trigger("w", 50);
    apply(store.epoch(), runs);
    assertThat(planning.states(runs.subList(0, 3))).containsOnly("RUNNING");
    assertThat(planning.states(runs.subList(3, 50))).containsOnly("QUEUED max_active");
    assertThat(store.rows().count("task")).isEqualTo(3);
    assertThat(store.rows().count("mark")).isZero();
  }

  @Test
  void without_a_limit_all_start_and_other_workflows_are_not_counted() {
    planning.registerOne("w", "{max_active: 1}");
    planning.registerOne("free", "{}");
    planning.trigger("free", 5);
    planning.trigger("w", 2);
    planning.plan();
    assertThat(planning.running("free")).isEqualTo(5);
    assertThat(planning.running("w")).isEqualTo(1);
  }

  @Test
  void end_of_a_run_starts_the_next_oldest() {
    planning.registerOne("w", "{max_active: 2}");
    var runs = planning.trigger("w", 5);
    planning.plan();
    planning.finish(runs.get(1), "a", 0);
    planning.plan();
    assertThat(planning.states(runs))
        .containsExactly(
            "RUNNING", "SUCCEEDED completed", "RUNNING", "QUEUED max_active", "QUEUED max_active");
    planning.finish(runs.get(0), "a", 1);
    planning.finish(runs.get(2), "a", 0);
    planning.plan();
    assertThat(planning.states(runs.subList(3, 5))).containsOnly("RUNNING");
  }

  /** Every run ends once, in any order, and never more run than the limit allows. */
  @Test
  void all_runs_get_their_turn() {
    planning.registerOne("w", "{max_active: 3}");
    var runs = planning.trigger("w", 12);
    planning.plan();
    for (int i = 0; i < runs.size(); i++) {
      assertThat(planning.running("w")).isEqualTo(Math.min(3, runs.size() - i));
      planning.finish(runs.get(i), "a", i % 2);
      planning.plan();
    }
    assertThat(store.rows().count("run WHERE ended_at IS NULL")).isZero();
    assertThat(store.rows().count("mark")).isZero();
  }

  /** A younger run asks first: the older one's mark returned later. */
  @Test
  void older_run_goes_before_a_younger_one_that_asks_first() {
    planning.registerOne("w", "{max_active: 1}");
    var runs = planning.trigger("w", 2);
    planning.plan();
    planning.finish(runs.get(0), "a", 0);
    var young = planning.trigger("w", 1).getFirst();
    apply(store.epoch(), runs.subList(0, 1));
    apply(store.epoch(), List.of(young));
    assertThat(planning.state(young)).isEqualTo("QUEUED max_active");
    planning.plan();
    assertThat(planning.state(runs.get(1))).isEqualTo("RUNNING");
    assertThat(planning.state(young)).isEqualTo("QUEUED max_active");
  }

  /** The old leader counted and dies slowly; the new one waits for it and counts its run too. */
  @Test
  void limit_is_exact_across_failover() throws Exception {
    planning.registerOne("w", "{max_active: 3}");
    var runs = planning.trigger("w", 10);
    var old = store.epoch();
    var before = plans(runs.subList(5, 10));
    try (var race = holdingControl();
        var session =
            DriverManager.getConnection(
                store.rows().pool().getJdbcUrl(),
                store.rows().pool().getUsername(),
                store.rows().pool().getPassword())) {
      var slow = race.next(() -> apply(old, runs.subList(0, 5)));
      var election = new PostgresElection(() -> session, "r2");
      var campaign = race.next(election::campaign);
      race.release();
      result(slow);
      var epoch = result(campaign).orElseThrow();
      assertThatThrownBy(() -> store.planWriter.apply(old, before, List.of()))
          .isInstanceOf(Deposed.class);
      planning.plan(epoch);
      election.resign();
    }
    assertThat(planning.running("w")).isEqualTo(3);
    assertThat(planning.states(runs.subList(0, 3))).containsOnly("RUNNING");
  }

  @Test
  void paused_workflow_starts_nothing_and_what_runs_goes_on() {
    planning.registerOne("w", "{}");
    var first = planning.trigger("w", 1).getFirst();
    planning.plan();
    var control = store.steering.pause("default", "w", "ann").orElseThrow();
    assertThat(control.paused()).isTrue();
    assertThat(control.pausedBy()).isEqualTo("ann");
    assertThat(store.steering.pause("default", "w", "bob")).hasValue(control);
    var waiting = planning.trigger("w", 3);
    planning.plan();
    assertThat(planning.states(waiting)).containsOnly("QUEUED paused");
    planning.finish(first, "a", 0);
    planning.plan();
    assertThat(planning.state(first)).isEqualTo("SUCCEEDED completed");
    assertThat(planning.states(waiting)).containsOnly("QUEUED paused");

    store.rows().hinted().clear();
    var resumed = new Control("default", "w", false, null, null, null);
    assertThat(store.steering.resume("default", "w", "ann")).hasValue(resumed);
    assertThat(store.rows().hinted()).contains("runChanged");
    assertThat(store.rows().count("mark")).isEqualTo(3);
    assertThat(store.steering.resume("default", "w", "ann")).hasValue(resumed);
    assertThat(store.rows().count("mark")).isEqualTo(3);
    planning.plan();
    assertThat(planning.states(waiting)).containsOnly("RUNNING");
  }

  @Test
  void resume_releases_no_more_than_may_start() {
    planning.registerOne("w", "{max_active: 2}");
    store.steering.pause("default", "w", "me");
    var runs = planning.trigger("w", 6);
    planning.plan();
    store.steering.resume("default", "w", "me");
    assertThat(store.plans.readMarks(10))
        .extracting(Mark::run)
        .containsExactlyElementsOf(runs.subList(0, 2));
    planning.plan();
    assertThat(planning.running("w")).isEqualTo(2);
    planning.finish(runs.get(0), "a", 0);
    planning.plan();
    assertThat(planning.state(runs.get(2))).isEqualTo("RUNNING");
  }

  @Test
  void plan_before_a_resume_holds_the_run_and_the_resume_lets_it_go() {
    var run = pausedRun();
    try (var race = holdingControl()) {
      var plan = race.next(() -> apply(store.epoch(), List.of(run)));
      var resume = race.next(() -> store.steering.resume("default", "w", "me"));
      race.release();
      result(plan);
      result(resume);
    }
    assertThat(store.plans.readMarks(10)).extracting(Mark::run).containsExactly(run);
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
  }

  @Test
  void plan_behind_a_resume_starts_the_run() {
    var run = pausedRun();
    try (var race = holdingControl()) {
      var resume = race.next(() -> store.steering.resume("default", "w", "me"));
      var plan = race.next(() -> apply(store.epoch(), List.of(run)));
      race.release();
      result(resume);
      result(plan);
    }
    assertThat(planning.state(run)).isEqualTo("RUNNING");
  }

  @Test
  void plan_behind_a_pause_holds_the_run() {
    planning.registerOne("w", "{}");
    var run = planning.trigger("w", 1).getFirst();
    try (var race = holdingControl()) {
      var pause = race.next(() -> store.steering.pause("default", "w", "me"));
      var plan = race.next(() -> apply(store.epoch(), List.of(run)));
      race.release();
      result(pause);
      result(plan);
    }
    assertThat(planning.state(run)).isEqualTo("QUEUED paused");
    assertThat(store.rows().count("task")).isZero();
  }

  @Test
  void latest_version_sets_the_limit_for_runs_of_all_versions() {
    planning.registerOne("w", "{max_active: 1}");
    var runs = planning.trigger("w", 4);
    planning.plan();
    planning.registerOne("w", "{max_active: 3}");
    planning.plan();
    assertThat(planning.running("w")).isEqualTo(3);
    planning.registerOne("w", "{max_active: 1}");
    planning.finish(runs.get(0), "a", 0);
    planning.plan();
    assertThat(planning.running("w")).isEqualTo(2);
    planning.registerOne("w", "{}");
    planning.plan();
    assertThat(planning.state(runs.get(3))).isEqualTo("RUNNING");
  }

  @Test
  void plan_behind_a_higher_limit_starts_by_it() {
    planning.registerOne("w", "{max_active: 1}");
    planning.trigger("w", 1);
    planning.plan();
    var run = planning.trigger("w", 1).getFirst();
    try (var race = holdingControl()) {
      var higher =
          race.next(
              () -> {
                planning.registerOne("w", "{max_active: 2}");
                return true;
              });
      var plan = race.next(() -> apply(store.epoch(), List.of(run)));
      race.release();
      result(higher);
      result(plan);
    }
    assertThat(planning.state(run)).isEqualTo("RUNNING");
  }

  @Test
  void waiting_run_is_cancelled_at_once() {
    var run = pausedRun();
    planning.plan();
    assertThat(store.steering.cancelRun(run, "me")).isEqualTo(new Cancel.Asked());
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("CANCELLED cancelled");
  }

  /** Its turn had come, and others waited for it. */
  @Test
  void cancelled_head_of_the_queue_lets_the_next_one_go() {
    planning.registerOne("w", "{max_active: 1}");
    var runs = planning.trigger("w", 2);
    apply(store.epoch(), runs.subList(1, 2));
    assertThat(planning.state(runs.get(1))).isEqualTo("QUEUED max_active");
    store.steering.cancelRun(runs.get(0), "me");
    planning.plan();
    assertThat(planning.states(runs)).containsExactly("CANCELLED cancelled", "RUNNING");
  }

  @Test
  void more_runs_than_are_released_together_are_released_by_the_first_that_start() {
    planning.registerOne("w", "{}");
    var template = pausedRunOf("w");
    planning.plan();
    store
        .rows()
        .run(
            """
            INSERT INTO run (id, tenant, workflow_id, workflow, state, params, reason, logical_date, created_at, created_by)
            SELECT md5('run' || n)::uuid, tenant, workflow_id, workflow, state, params, reason, logical_date, created_at, 'me'
            FROM run, generate_series(1, %d) AS n WHERE id = '%s'\
            """
                .formatted(RunQueue.RELEASED_MAX + 50, template));
    store.steering.resume("default", "w", "me");
    assertThat(store.rows().count("mark")).isEqualTo(RunQueue.RELEASED_MAX);
    planning.leader().runOnce(store.epoch(), 20);
    assertThat(planning.running("w")).isEqualTo(20);
    assertThat(store.rows().count("run WHERE reason IS NOT NULL")).isZero();
    assertThat(store.rows().count("mark")).isEqualTo(RunQueue.RELEASED_MAX + 51 - 20);
  }

  @Test
  void unknown_workflow_has_no_control() {
    assertThat(store.steering.pause("default", "nope", "me")).isEmpty();
    assertThat(store.steering.resume("default", "nope", "me")).isEmpty();
    planning.registerOne("w", "{}");
    assertThat(store.steering.pause("other", "w", "me")).isEmpty();
  }

  /** Cost follows change: among many finished runs, the statement reads only open and held ones. */
  @Test
  void finished_runs_are_not_read() {
    planning.registerOne("w", "{max_active: 2}");
    var runs = planning.trigger("w", 4);
    planning.plan();
    store
        .rows()
        .run(
            """
            INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by, ended_at)
            SELECT md5('run' || n)::uuid, tenant, workflow_id, workflow, 'SUCCEEDED', params, logical_date, created_at,
              'me', belay_now()
            FROM run, generate_series(1, 20000) AS n WHERE id = '%s'\
            """
                .formatted(runs.getFirst()));
    store.rows().run("ANALYZE");
    var ids = "'{" + runs.get(2) + "," + runs.get(3) + "}'";
    for (var statement :
        List.of("runqueue/lock_controls", "runqueue/read_held", "runqueue/release_runs")) {
      var sql =
          Sql.named(statement)
              .replace(":runs", ids)
              .replace(":max", "1000")
              .replace(":tenants", "'{default}'")
              .replace(":names", "'{w}'");
      var plan = store.rows().text("EXPLAIN " + sql);
      assertThat(plan).as(statement).doesNotContain("Seq Scan on run", "run_of_workflow ");
    }
  }

  private RunId pausedRun() {
    planning.registerOne("w", "{}");
    return pausedRunOf("w");
  }

  private RunId pausedRunOf(String workflow) {
    store.steering.pause("default", workflow, "me");
    return planning.trigger(workflow, 1).getFirst();
  }

  private Race holdingControl() {
    return new Race(store.rows(), "SELECT 1 FROM workflow_control FOR UPDATE");
  }

  /** One transaction for all runs, not in their order. */
  private boolean apply(Epoch epoch, List<RunId> runs) {
    var marks =
        store.plans.readMarks(1_000).stream()
            .filter(mark -> runs.contains(mark.run()))
            .map(Mark::id)
            .toList();
    store.planWriter.apply(epoch, plans(runs), marks);
    return true;
  }

  private List<PlannedRun> plans(List<RunId> runs) {
    var planner = new Planner(new CelExpressions());
    var stored = new ArrayList<>(store.plans.readRuns(runs));
    Collections.reverse(stored);
    return stored.stream().map(run -> planned(planner, run)).toList();
  }

  private PlannedRun planned(Planner planner, StoredRun run) {
    try {
      var graph = Graph.of(SpecCodec.fromJson(store.plans.readSpec(run.workflow())));
      var plan = planner.plan(graph, run.view());
      var ids =
          Stream.generate(() -> new TaskId(store.ids().next()))
              .limit(plan.creations().size())
              .toList();
      return new PlannedRun(run, plan, ids);
    } catch (Graph.NotAGraph e) {
      throw new AssertionError(e);
    }
  }
}
