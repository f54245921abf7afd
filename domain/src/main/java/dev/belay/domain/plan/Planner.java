package dev.belay.domain.plan;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.TooCostly;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Advances a run. The planner visits every task after its dependencies, so one pass reaches the
 * fixpoint: skips and failures spread through the whole graph at once.
 */
public final class Planner {

  /** Prefix of the reason of a task or run whose expressions exceeded their budget. */
  public static final String TOO_COSTLY = "expression_too_costly: ";

  private static final int REASON_MAX = 500;

  private final Expressions expressions;

  public Planner(Expressions expressions) {
    this.expressions = expressions;
  }

  /** Evaluates expressions of users, so it may take as long as their budget allows. */
  public Plan plan(Graph graph, RunView run) {
    RunView typed = typed(graph, run);
    return plan(graph, typed, expressions.over(typed.scope()));
  }

  /** The plan, or empty when it needs the value of an expression. Always fast. */
  public static Optional<Plan> planLiterals(Graph graph, RunView run) {
    try {
      return Optional.of(
          plan(
              graph,
              run,
              template -> {
                throw new MustEvaluate();
              }));
    } catch (MustEvaluate needed) {
      return Optional.empty();
    }
  }

  /** Ends {@link #planLiterals}; never leaves this class. */
  private static final class MustEvaluate extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MustEvaluate() {
      super("", null, false, false);
    }
  }

  private static Plan plan(Graph graph, RunView run, Evaluation evaluation) {
    var pass = new Pass(graph, run, evaluation);
    for (TaskSpec task : graph.ordered()) {
      pass.visit(task);
    }
    return pass.result();
  }

  /** JSON stores a float without a fraction as a whole number; the declared type restores it. */
  private static RunView typed(Graph graph, RunView run) {
    Map<String, Object> params = new HashMap<>(run.scope().params());
    graph
        .spec()
        .params()
        .forEach(
            (name, param) -> {
              if (param.type() == ParamSpec.Type.FLOAT && params.get(name) instanceof Long whole) {
                params.put(name, whole.doubleValue());
              }
            });
    var scope = new Expressions.Scope(params, run.scope().run());
    return new RunView(run.state(), run.ending(), scope, run.tasks());
  }

  /** Ends a run that cannot be planned: cancels idle tasks and aborts active ones. */
  public static Plan abandon(RunView run, String reason) {
    List<Move> moves = new ArrayList<>();
    List<TaskId> aborts = new ArrayList<>();
    for (Map.Entry<String, TaskView> entry : run.tasks().entrySet()) {
      TaskView task = entry.getValue();
      if (task.state().isActive()) {
        aborts.add(task.id());
      } else if (!task.state().isTerminal()) {
        moves.add(move(task, TaskState.CANCELLED, shorten(reason), null));
      }
    }
    boolean over = run.state().isTerminal();
    RunMove end =
        aborts.isEmpty() && !over
            ? new RunMove(run.state(), RunState.FAILED, shorten(reason))
            : null;
    return new Plan(List.of(), List.of(), moves, aborts, null, end);
  }

  private static Move move(TaskView task, TaskState to, String reason, @Nullable Ready ready) {
    return new Move(task.id(), task.life().generation(), task.state(), to, reason, ready);
  }

  /** The next state of a waiting task. */
  private record Step(TaskState to, String reason, @Nullable Ready ready) {}

  private static final class Pass {
    private final Graph graph;
    private final RunView run;
    private final Evaluation evaluation;
    private final Map<String, TaskState> states = new HashMap<>();

    /** Reasons of the tasks that this plan ends or moves. */
    private final Map<String, String> reasonsNow = new HashMap<>();

    private final List<Creation> creations = new ArrayList<>();
    private final List<Deadline> deadlines = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private final List<TaskId> aborts = new ArrayList<>();

    Pass(Graph graph, RunView run, Evaluation evaluation) {
      this.graph = graph;
      this.run = run;
      this.evaluation = evaluation;
    }

    void visit(TaskSpec task) {
      TaskView existing = run.tasks().get(task.name());
      if (existing == null) {
        Step step = fromWaiting(task);
        creations.add(new Creation(task, step.to(), step.reason(), step.ready()));
        states.put(task.name(), step.to());
        reasonsNow.put(task.name(), step.reason());
        return;
      }
      TaskState state = existing.state();
      states.put(task.name(), state);
      if (state.isTerminal()) {
        return;
      }
      if (run.ending() != null && state.isActive()) {
        aborts.add(existing.id());
        return;
      }
      Duration deadline = task.deadline();
      if (deadline != null && !existing.life().hasDeadline() && state == TaskState.WAITING) {
        deadlines.add(new Deadline(existing.id(), deadline));
      }
      if (state == TaskState.WAITING || run.ending() != null) {
        Step step = fromWaiting(task);
        if (step.to() != state) {
          moves.add(move(existing, step.to(), step.reason(), step.ready()));
          states.put(task.name(), step.to());
          reasonsNow.put(task.name(), step.reason());
        }
      }
    }

    private Step fromWaiting(TaskSpec task) {
      AbortReason ending = run.ending();
      if (ending != null) {
        return new Step(ending.leadsTo(), ending.word(), null);
      }
      List<TaskState> upstream = upstreamOf(task);
      return switch (Trigger.decide(task.triggerRule(), upstream)) {
        case WAIT -> new Step(TaskState.WAITING, "created", null);
        case SKIP ->
            new Step(TaskState.SKIPPED, "trigger_rule: " + task.triggerRule().word(), null);
        case UPSTREAM_FAILED -> new Step(TaskState.UPSTREAM_FAILED, failedUpstream(task), null);
        case START -> start(task);
      };
    }

    private List<TaskState> upstreamOf(TaskSpec task) {
      var upstream = new ArrayList<TaskState>();
      for (String name : graph.upstreamOf(task)) {
        upstream.add(states.getOrDefault(name, TaskState.WAITING));
      }
      return upstream;
    }

    private String failedUpstream(TaskSpec task) {
      return graph.upstreamOf(task).stream()
          .filter(name -> FirstCause.hasFailed(states.getOrDefault(name, TaskState.WAITING)))
          .findFirst()
          .map(name -> "upstream_failed: " + name)
          .orElse("upstream_failed");
    }

    private Step start(TaskSpec task) {
      try {
        if (task.when() != null && !Boolean.TRUE.equals(evaluation.evaluate(task.when()))) {
          return new Step(TaskState.SKIPPED, "when_false", null);
        }
        Ready ready = Resolution.resolve(graph.spec(), task, evaluation);
        var admitted = ready.work() == null ? Admission.defer("waiting") : Admission.admit("ready");
        return new Step(admitted.state(), admitted.reason(), ready);
      } catch (ExpressionFailed failed) {
        String word = failed instanceof TooCostly ? TOO_COSTLY : "expression_failed: ";
        return new Step(TaskState.FAILED, shorten(word + failed.getMessage()), null);
      }
    }

    Plan result() {
      return new Plan(creations, deadlines, moves, aborts, graph.spec().run().timeout(), end());
    }

    private @Nullable RunMove end() {
      if (run.state().isTerminal() || !states.values().stream().allMatch(TaskState::isTerminal)) {
        return null;
      }
      AbortReason ending = run.ending();
      if (ending == AbortReason.CANCELLED && states.containsValue(TaskState.CANCELLED)) {
        return new RunMove(run.state(), RunState.CANCELLED, ending.word());
      }
      if (ending == AbortReason.RUN_TIMEOUT && hasEndedFor(ending)) {
        return new RunMove(run.state(), RunState.FAILED, ending.word());
      }
      List<String> failed = new ArrayList<>();
      for (TaskSpec leaf : graph.leaves()) {
        TaskState state = states.getOrDefault(leaf.name(), TaskState.WAITING);
        if (state != TaskState.SUCCEEDED && state != TaskState.SKIPPED) {
          failed.add(leaf.name());
        }
      }
      return failed.isEmpty()
          ? new RunMove(run.state(), RunState.SUCCEEDED, "completed")
          : new RunMove(run.state(), RunState.FAILED, shorten(firstCause(failed)));
    }

    /** Otherwise each task had ended by itself, and the run ends as they did. */
    private boolean hasEndedFor(AbortReason ending) {
      return reasonsNow.containsValue(ending.word())
          || run.tasks().values().stream()
              .map(TaskView::failure)
              .anyMatch(failure -> failure != null && failure.reason().equals(ending.word()));
    }

    private String firstCause(List<String> failedLeaves) {
      return FirstCause.of(graph, states, run.tasks(), reasonsNow, failedLeaves);
    }
  }

  private static String shorten(String reason) {
    // PostgreSQL text rejects NUL, and an expression may have produced one.
    String clean = reason.replace('\0', ' ');
    return clean.length() <= REASON_MAX ? clean : clean.substring(0, REASON_MAX);
  }
}
