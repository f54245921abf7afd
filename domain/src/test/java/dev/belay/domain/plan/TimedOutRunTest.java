package dev.belay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.RunView.Life;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Plans of runs that were RUNNING for longer than they may. */
class TimedOutRunTest {

  @Test
  void run_that_timed_out_ends_its_open_tasks() throws Exception {
    Graph graph = graph(task("a"), task("b", "a"), task("c"), task("d"));
    Plan plan =
        plan(
            graph,
            timedOut(
                Map.of(
                    "a", TaskState.RUNNING,
                    "b", TaskState.WAITING,
                    "c", TaskState.BLOCKED,
                    "d", TaskState.SUCCEEDED)));
    assertThat(plan.aborts()).hasSize(1);
    assertThat(plan.moves())
        .extracting(Move::to, Move::reason)
        .containsOnly(tuple(TaskState.TIMEOUT, "run_timeout"))
        .hasSize(2);
    assertThat(plan.end()).isNull();
  }

  @Test
  void run_that_timed_out_fails_for_it() throws Exception {
    Graph graph = graph(task("a"), task("b", "a"));
    Plan idle = plan(graph, timedOut(Map.of("a", TaskState.SUCCEEDED, "b", TaskState.WAITING)));
    assertThat(idle.end())
        .isEqualTo(new Plan.RunMove(RunState.RUNNING, RunState.FAILED, "run_timeout"));
    var stopped = new RunView.Failure("run_timeout", Instant.EPOCH);
    var tasks =
        Map.of(
            "a", new TaskView(new TaskId(new UUID(0, 1)), TaskState.TIMEOUT, stopped, Life.FIRST),
            "b", new TaskView(new TaskId(new UUID(0, 2)), TaskState.TIMEOUT, stopped, Life.FIRST));
    var view = new RunView(RunState.RUNNING, AbortReason.RUN_TIMEOUT, scope(), tasks);
    assertThat(plan(graph, view).end()).isEqualTo(idle.end());
  }

  @Test
  void run_whose_last_task_succeeded_although_it_timed_out_succeeds() throws Exception {
    Plan plan = plan(graph(task("a")), timedOut(Map.of("a", TaskState.SUCCEEDED)));
    assertThat(Objects.requireNonNull(plan.end()).to()).isEqualTo(RunState.SUCCEEDED);
  }

  private static Plan plan(Graph graph, RunView run) {
    return Planner.planLiterals(graph, run).orElseThrow();
  }

  private static RunView timedOut(Map<String, TaskState> states) {
    Map<String, TaskView> tasks = new HashMap<>();
    states.forEach(
        (name, state) ->
            tasks.put(name, new TaskView(new TaskId(new UUID(0, name.hashCode())), state)));
    return new RunView(RunState.RUNNING, AbortReason.RUN_TIMEOUT, scope(), tasks);
  }

  private static Expressions.Scope scope() {
    return new Expressions.Scope(Map.of(), Map.of());
  }

  private static Graph graph(TaskSpec... tasks) throws Graph.NotAGraph {
    return Graph.of(
        new WorkflowSpec(
            "default", "w", null, Map.of(), List.of(), RunLimits.NONE, List.of(tasks)));
  }

  private static TaskSpec task(String name, String... dependsOn) {
    return new TaskSpec(
        name,
        new Action.Command(List.of(new Template("x"))),
        List.of(dependsOn),
        TriggerRule.ALL_SUCCESS,
        null,
        Map.of(),
        RunPolicy.DEFAULT,
        TaskSpec.PRIORITY_DEFAULT,
        TaskSpec.POOL_DEFAULT,
        Map.of(),
        null);
  }
}
