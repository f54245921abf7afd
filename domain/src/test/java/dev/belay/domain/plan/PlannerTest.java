package dev.belay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlannerTest {

  /** Knows the expressions yes and no; any other has no value. */
  private static final Expressions EXPRESSIONS =
      scope ->
          template ->
              switch (template.text()) {
                case "${{ yes }}" -> true;
                case "${{ no }}" -> false;
                case "${{ slow }}" -> throw new Expressions.TooCostly("slow took more than 2s");
                default ->
                    throw new Expressions.ExpressionFailed("no value for " + template.text());
              };

  private final Planner planner = new Planner(EXPRESSIONS);

  @Test
  void a_new_run_creates_every_task_and_starts_the_roots() throws Exception {
    Plan plan = planner.plan(graph(task("a"), task("b", "a"), task("c", "b")), fresh(false));

    assertThat(states(plan))
        .isEqualTo(
            Map.of("a", TaskState.SCHEDULED, "b", TaskState.WAITING, "c", TaskState.WAITING));
    assertThat(plan.creations().getFirst().ready()).isNotNull();
    assertThat(plan.end()).isNull();
  }

  @Test
  void a_task_that_waits_is_deferred_when_it_is_ready_and_needs_no_work() throws Exception {
    Instant until = Instant.parse("2026-12-24T18:00:00Z");
    Graph graph =
        graph(
            waits("pause", new Action.Wait(Duration.ofMinutes(10), null)),
            waits("date", new Action.Wait(null, new Template(until.toString()))),
            waits("later", new Action.Wait(Duration.ofMinutes(1), null), "pause"),
            waits("bad", new Action.Wait(null, new Template("${{ yes }}"))),
            waits("none", new Action.Wait(null, new Template("${{ what }}"))));
    Plan plan = planner.plan(graph, fresh(false));

    assertThat(states(plan))
        .isEqualTo(
            Map.of(
                "pause", TaskState.DEFERRED,
                "date", TaskState.DEFERRED,
                "later", TaskState.WAITING,
                "bad", TaskState.FAILED,
                "none", TaskState.FAILED));
    assertThat(creation(plan, "pause").ready())
        .isEqualTo(new Plan.Ready(DueTime.after(Duration.ofMinutes(10)), Map.of()));
    assertThat(creation(plan, "date").ready())
        .isEqualTo(new Plan.Ready(DueTime.at(until), Map.of()));
    assertThat(creation(plan, "bad").reason())
        .startsWith("expression_failed: 'until' must be a time with its zone")
        .endsWith("but ${{ yes }} is 'true'");
    assertThat(creation(plan, "none").reason()).contains("no value for ${{ what }}");
  }

  @Test
  void a_cancel_of_the_run_ends_a_wait() throws Exception {
    Graph graph = graph(waits("pause", new Action.Wait(Duration.ofMinutes(10), null)));
    Plan plan = planner.plan(graph, running(true, Map.of("pause", TaskState.DEFERRED)));

    assertThat(plan.moves())
        .singleElement()
        .matches(move -> move.from() == TaskState.DEFERRED && move.to() == TaskState.CANCELLED);
  }

  private static Plan.Creation creation(Plan plan, String name) {
    return plan.creations().stream()
        .filter(one -> one.task().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static TaskSpec waits(String name, Action.Wait wait, String... dependsOn) {
    return new TaskSpec(
        name,
        wait,
        List.of(dependsOn),
        TriggerRule.ALL_SUCCESS,
        null,
        Map.of(),
        RunPolicy.DEFAULT,
        50,
        "default",
        Map.of(),
        null);
  }

  @Test
  void a_failure_travels_through_the_whole_graph_in_one_pass() throws Exception {
    Graph graph = graph(task("a"), task("b", "a"), task("c", "b"), task("d", "c"));
    Plan plan =
        planner.plan(
            graph,
            running(
                false,
                Map.of(
                    "a",
                    TaskState.FAILED,
                    "b",
                    TaskState.WAITING,
                    "c",
                    TaskState.WAITING,
                    "d",
                    TaskState.WAITING)));

    assertThat(plan.moves()).hasSize(3).allMatch(move -> move.to() == TaskState.UPSTREAM_FAILED);
    assertThat(plan.end())
        .isEqualTo(new Plan.RunMove(RunState.RUNNING, RunState.FAILED, "a: FAILED"));
  }

  @Test
  void the_reason_of_a_run_is_what_failed_first_and_not_what_was_merely_downstream()
      throws Exception {
    Graph graph =
        graph(task("check"), task("load"), task("report", "check", "load"), task("mail", "report"));
    Map<String, TaskView> tasks = new HashMap<>();
    tasks.put("check", failed("check", TaskState.FAILED, "exit_code 1", 5));
    tasks.put("load", failed("load", TaskState.TIMEOUT, "execution_timeout", 9));
    tasks.put("report", new TaskView(taskId("report"), TaskState.WAITING));
    tasks.put("mail", new TaskView(taskId("mail"), TaskState.WAITING));

    assertThat(reason(graph, tasks)).isEqualTo("check: exit_code 1");

    tasks.put("check", failed("check", TaskState.FAILED, "exit_code 1", 10));
    assertThat(reason(graph, tasks)).isEqualTo("load: execution_timeout");
  }

  @Test
  void a_failure_that_another_branch_dealt_with_is_not_the_reason_of_the_run() throws Exception {
    Graph graph =
        graph(
            task("flaky"),
            task("repair", null, List.of("flaky"), TriggerRule.ALL_DONE, null),
            task("last"));
    Map<String, TaskView> tasks = new HashMap<>();
    tasks.put("flaky", failed("flaky", TaskState.FAILED, "exit_code 7", 1));
    tasks.put("repair", new TaskView(taskId("repair"), TaskState.SUCCEEDED));
    tasks.put("last", failed("last", TaskState.FAILED, "exit_code 2", 3));

    assertThat(reason(graph, tasks)).isEqualTo("last: exit_code 2");
  }

  @Test
  void a_run_that_fails_by_an_expression_says_so() throws Exception {
    Plan plan = planner.plan(graph(task("a", "${{ oops }}", List.of())), fresh(false));

    assertThat(Objects.requireNonNull(plan.end()).reason()).startsWith("a: expression_failed");
  }

  private String reason(Graph graph, Map<String, TaskView> tasks) {
    var plan = planner.plan(graph, new RunView(RunState.RUNNING, null, scope(), tasks));
    return Objects.requireNonNull(plan.end()).reason();
  }

  private static TaskView failed(String name, TaskState state, String reason, long second) {
    return new TaskView(
        taskId(name),
        state,
        new RunView.Failure(reason, Instant.ofEpochSecond(second)),
        RunView.Life.FIRST);
  }

  @Test
  void a_false_condition_skips_the_task_and_what_depends_on_it() throws Exception {
    Plan plan =
        planner.plan(graph(task("a", "${{ no }}", List.of()), task("b", "a")), fresh(false));

    assertThat(states(plan).values()).containsOnly(TaskState.SKIPPED);
    assertThat(plan.end())
        .isEqualTo(new Plan.RunMove(RunState.QUEUED, RunState.SUCCEEDED, "completed"));
  }

  @Test
  void an_expression_without_a_value_fails_its_task_and_says_why() throws Exception {
    Plan plan = planner.plan(graph(task("a", "${{ oops }}", List.of())), fresh(false));

    assertThat(plan.creations().getFirst().state()).isEqualTo(TaskState.FAILED);
    assertThat(plan.creations().getFirst().reason()).contains("expression_failed").contains("oops");
  }

  @Test
  void a_reason_never_holds_what_the_database_refuses() throws Exception {
    Plan plan = planner.plan(graph(task("a", "${{ oo\0ps }}", List.of())), fresh(false));

    assertThat(plan.creations().getFirst().reason()).contains("oo ps").doesNotContain("\0");
  }

  @Test
  void a_float_that_came_back_whole_is_still_a_float() throws Exception {
    var param = new ParamSpec(ParamSpec.Type.FLOAT, null, List.of());
    var spec =
        new WorkflowSpec(
            "default",
            "w",
            null,
            Map.of("x", param),
            List.of(),
            RunLimits.NONE,
            List.of(task("a", "${{ x }}", List.of())));
    List<Object> seen = new ArrayList<>();
    Expressions remembering =
        scope ->
            template -> {
              seen.add(String.valueOf(scope.params().get("x")));
              return true;
            };
    var scope = new Expressions.Scope(Map.of("x", 10_000_000L), Map.of());
    new Planner(remembering)
        .plan(Graph.of(spec), new RunView(RunState.QUEUED, null, scope, Map.of()));

    assertThat(seen).containsExactly("1.0E7");
  }

  @Test
  void an_expression_past_its_budget_fails_its_task_for_good() throws Exception {
    Graph graph = graph(task("a", "${{ slow }}", List.of()), task("b", "a"));
    Plan plan = planner.plan(graph, fresh(false));
    assertThat(plan.creations())
        .extracting(Plan.Creation::state)
        .containsExactly(TaskState.FAILED, TaskState.UPSTREAM_FAILED);
    assertThat(plan.creations().getFirst().reason())
        .isEqualTo("expression_too_costly: slow took more than 2s");
    assertThat(plan.end()).isNotNull();

    RunView after = running(false, Map.of("a", TaskState.FAILED, "b", TaskState.WAITING));
    assertThat(Planner.planLiterals(graph, after)).as("nothing is evaluated again").isPresent();
  }

  @Test
  void a_plan_that_evaluates_nothing_is_made_without_expressions() throws Exception {
    Graph graph = graph(task("a"), task("b", "${{ yes }}", List.of("a")));
    assertThat(Planner.planLiterals(graph, fresh(false)))
        .contains(planner.plan(graph, fresh(false)));
    RunView ready = running(false, Map.of("a", TaskState.SUCCEEDED, "b", TaskState.WAITING));
    assertThat(Planner.planLiterals(graph, ready)).isEmpty();
    RunView cancelled = running(true, Map.of("a", TaskState.SUCCEEDED, "b", TaskState.WAITING));
    assertThat(Planner.planLiterals(graph, cancelled)).isPresent();
  }

  @Test
  void a_cancelled_run_cancels_what_is_idle_and_stops_what_is_active() throws Exception {
    Graph graph = graph(task("a"), task("b"), task("c", "a"));
    RunView run =
        running(
            true, Map.of("a", TaskState.RUNNING, "b", TaskState.PENDING, "c", TaskState.WAITING));
    Plan plan = planner.plan(graph, run);

    assertThat(plan.aborts()).containsExactly(taskId("a"));
    assertThat(plan.moves()).hasSize(2).allMatch(move -> move.to() == TaskState.CANCELLED);
    assertThat(plan.end()).isNull();
  }

  @Test
  void a_cancelled_run_ends_cancelled_when_its_last_task_has_stopped() throws Exception {
    Plan plan =
        planner.plan(
            graph(task("a"), task("b")),
            running(true, Map.of("a", TaskState.CANCELLED, "b", TaskState.SUCCEEDED)));

    assertThat(plan.end())
        .isEqualTo(new Plan.RunMove(RunState.RUNNING, RunState.CANCELLED, "cancelled"));
  }

  @Test
  void only_leaves_decide_how_the_run_ends() throws Exception {
    TaskSpec cleanup = task("z", null, List.of("a"), TriggerRule.ALL_DONE);
    Plan plan =
        planner.plan(
            graph(task("a"), cleanup),
            running(false, Map.of("a", TaskState.FAILED, "z", TaskState.SUCCEEDED)));

    assertThat(plan.end())
        .isEqualTo(new Plan.RunMove(RunState.RUNNING, RunState.SUCCEEDED, "completed"));
  }

  @Test
  void planning_twice_changes_nothing_more() throws Exception {
    Graph graph = graph(task("a"), task("b", "a"), task("c", "b"));
    Plan first = planner.plan(graph, fresh(false));
    Plan second = planner.plan(graph, running(false, states(first)));

    assertThat(second.isEmpty()).isTrue();
  }

  /** After a retry the run is QUEUED and has tasks. */
  @Test
  void a_retried_run_goes_on_where_it_failed() throws Exception {
    Graph graph = graph(task("a"), task("b"), task("c", "a"), task("d", "c"));
    var waits =
        Map.of(
            "a",
            TaskState.WAITING,
            "b",
            TaskState.SUCCEEDED,
            "c",
            TaskState.WAITING,
            "d",
            TaskState.WAITING);
    Plan plan =
        planner.plan(
            graph, new RunView(RunState.QUEUED, null, scope(), running(false, waits).tasks()));

    assertThat(plan.creations()).isEmpty();
    assertThat(plan.moves()).singleElement().extracting(Plan.Move::id).isEqualTo(taskId("a"));
    assertThat(plan.end()).isNull();
  }

  @Test
  void reopened_task_gets_its_deadline_with_the_next_plan_and_only_once() throws Exception {
    Graph graph = graph(due("a"), due("b"), task("c", "a"));
    var tasks = new HashMap<String, TaskView>();
    tasks.put(
        "b", new TaskView(taskId("b"), TaskState.SUCCEEDED, null, new RunView.Life(2, false)));
    tasks.put("c", new TaskView(taskId("c"), TaskState.WAITING));
    for (RunState state : List.of(RunState.QUEUED, RunState.RUNNING)) {
      tasks.put(
          "a", new TaskView(taskId("a"), TaskState.WAITING, null, new RunView.Life(2, false)));
      var reopened = planner.plan(graph, new RunView(state, null, scope(), tasks));
      assertThat(reopened.deadlines())
          .containsExactly(new Plan.Deadline(taskId("a"), Duration.ofHours(2)));
      assertThat(reopened.moves()).extracting(Plan.Move::generation).containsExactly(2);
      tasks.put("a", new TaskView(taskId("a"), TaskState.WAITING));
      assertThat(planner.plan(graph, new RunView(state, null, scope(), tasks)).deadlines())
          .isEmpty();
    }
  }

  @Test
  void a_retried_run_that_is_cancelled_ends_without_having_started() throws Exception {
    var tasks = running(true, Map.of("a", TaskState.WAITING)).tasks();
    Plan plan =
        planner.plan(
            graph(task("a")), new RunView(RunState.QUEUED, AbortReason.CANCELLED, scope(), tasks));

    assertThat(plan.end())
        .isEqualTo(new Plan.RunMove(RunState.QUEUED, RunState.CANCELLED, "cancelled"));
  }

  /** So a retry may reset more than it must: while nothing upstream changed, nothing changes. */
  @Test
  void a_task_that_was_skipped_is_skipped_again_by_the_same_states_before_it() throws Exception {
    for (TriggerRule rule : TriggerRule.values()) {
      for (TaskState before : TaskState.TERMINAL) {
        Graph graph = graph(task("a"), task("b", null, List.of("a"), rule));
        Map<String, TaskState> waiting = Map.of("a", before, "b", TaskState.WAITING);
        var first = planner.plan(graph, running(false, waiting)).moves();
        assertThat(planner.plan(graph, running(false, waiting)).moves()).isEqualTo(first);
        assertThat(first).as(rule + " after " + before).hasSize(1);
      }
    }
  }

  @Test
  void a_run_that_cannot_be_planned_is_given_up_cleanly() {
    RunView run = running(false, Map.of("a", TaskState.RUNNING, "b", TaskState.WAITING));
    Plan plan = Planner.abandon(run, "unplannable");
    assertThat(plan.aborts()).hasSize(1);
    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.end()).isNull();

    Plan over = Planner.abandon(running(false, Map.of("a", TaskState.CANCELLED)), "unplannable");
    assertThat(over.end())
        .isEqualTo(new Plan.RunMove(RunState.RUNNING, RunState.FAILED, "unplannable"));
  }

  @Test
  void a_cycle_that_got_in_is_named_instead_of_looping() {
    assertThatThrownBy(() -> graph(task("a", "b"), task("b", "a")))
        .isInstanceOf(Graph.NotAGraph.class)
        .hasMessageContaining("[a, b]");
  }

  @Test
  void ten_thousand_tasks_are_planned_in_one_pass() throws Exception {
    var tasks = new ArrayList<TaskSpec>();
    tasks.add(task("t0"));
    for (int i = 1; i < 10_000; i++) {
      tasks.add(task("t" + i, "t" + (i - 1)));
    }
    Plan plan = planner.plan(graph(tasks.toArray(TaskSpec[]::new)), fresh(true));
    assertThat(plan.creations())
        .hasSize(10_000)
        .allMatch(creation -> creation.state() == TaskState.CANCELLED);
  }

  private static Graph graph(TaskSpec... tasks) throws Graph.NotAGraph {
    return Graph.of(
        new WorkflowSpec(
            "default", "w", null, Map.of(), List.of(), RunLimits.NONE, List.of(tasks)));
  }

  private static TaskSpec task(String name, String... dependsOn) {
    return task(name, null, List.of(dependsOn));
  }

  private static TaskSpec task(String name, @Nullable String when, List<String> dependsOn) {
    return task(name, when, dependsOn, TriggerRule.ALL_SUCCESS);
  }

  private static TaskSpec task(
      String name, @Nullable String when, List<String> dependsOn, TriggerRule rule) {
    return task(name, when, dependsOn, rule, null);
  }

  private static TaskSpec due(String name) {
    return task(name, null, List.of(), TriggerRule.ALL_SUCCESS, Duration.ofHours(2));
  }

  private static TaskSpec task(
      String name,
      @Nullable String when,
      List<String> dependsOn,
      TriggerRule rule,
      @Nullable Duration deadline) {
    return new TaskSpec(
        name,
        new Action.Command(List.of(new Template("true"))),
        dependsOn,
        rule,
        when == null ? null : new Template(when),
        Map.of(),
        RunPolicy.DEFAULT,
        TaskSpec.PRIORITY_DEFAULT,
        TaskSpec.POOL_DEFAULT,
        Map.of(),
        deadline);
  }

  private static RunView fresh(boolean cancelled) {
    return new RunView(
        RunState.QUEUED, cancelled ? AbortReason.CANCELLED : null, scope(), Map.of());
  }

  private static RunView running(boolean cancelled, Map<String, TaskState> states) {
    Map<String, TaskView> tasks = new HashMap<>();
    states.forEach((name, state) -> tasks.put(name, new TaskView(taskId(name), state)));
    return new RunView(RunState.RUNNING, cancelled ? AbortReason.CANCELLED : null, scope(), tasks);
  }

  private static TaskId taskId(String name) {
    return new TaskId(new UUID(0, name.hashCode()));
  }

  private static Expressions.Scope scope() {
    return new Expressions.Scope(Map.of(), Map.of());
  }

  private static Map<String, TaskState> states(Plan plan) {
    return plan.creations().stream()
        .collect(Collectors.toMap(creation -> creation.task().name(), Plan.Creation::state));
  }
}
