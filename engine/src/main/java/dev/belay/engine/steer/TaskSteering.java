package dev.belay.engine.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.steer.Reopening;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.steer.Selection;
import dev.belay.domain.steer.Steer;
import dev.belay.domain.steer.Steer.Action;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.TaskSteerStatements.SteeredTask;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.SteerScene.Around;
import dev.belay.engine.steer.SteerScene.Outcome;
import dev.belay.engine.steer.SteerScene.Wish;
import dev.belay.engine.steer.TaskSteer.Changed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Clears, retries, marks, skips, blocks and prioritizes single tasks. Each request is one
 * transaction, in the history with its actor and note. Of two requests at once, the second finds
 * what the first left, and its answer says so.
 */
public final class TaskSteering {

  private static final String CLEARED = "cleared";
  private static final String RETRIED = "retried";

  /** Tasks that a refusal names. */
  private static final int NAMED_MAX = 5;

  private final Transactions transactions;
  private final Hints hints;
  private final Meters meters;
  private final Function<String, WorkflowSpec> decode;

  /**
   * @param decode reads a stored workflow
   */
  public TaskSteering(
      Transactions transactions,
      Hints hints,
      Meters meters,
      Function<String, WorkflowSpec> decode) {
    this.transactions = transactions;
    this.hints = hints;
    this.meters = meters;
    this.decode = decode;
  }

  /**
   * A person's request about one task.
   *
   * @param note why, for the history; empty means none
   */
  public record Request(TaskId task, String note, String actor) {
    Wish wish() {
      return new Wish(note, actor);
    }
  }

  /**
   * Runs the task again, with the selected ones around it. Without a run, it is due at once.
   *
   * @param dryRun answers the same and writes nothing
   */
  public TaskSteer clear(Request request, Selection selection, boolean dryRun) {
    return inRun(request, scene -> clear(scene, selection, dryRun));
  }

  private static Outcome clear(SteerScene scene, Selection selection, boolean dryRun) {
    Around around = scene.around();
    if (around == null) {
      return scene.state().isTerminal() ? runAlone(scene, CLEARED, dryRun) : notOver(scene);
    }
    var selected = around.select(selection, scene.task());
    var inTheWay = Reopening.inTheWay(selected);
    if (!inTheWay.isEmpty()) {
      return Outcome.no(open(inTheWay));
    }
    var reopening = Reopening.clear(selected, around.after(selected));
    if (reopening.ended().isEmpty()) {
      return scene.unchanged();
    }
    return runAgain(scene, around, reopening, CLEARED, dryRun);
  }

  private static String open(List<RunTask> tasks) {
    String named =
        tasks.stream()
            .limit(NAMED_MAX)
            .map(task -> task.name() + " (" + task.id() + ") is " + task.state())
            .collect(Collectors.joining(", "));
    int more = tasks.size() - NAMED_MAX;
    return "Nothing was cleared: "
        + named
        + (more > 0 ? ", and " + more + " more are open" : "")
        + ". Wait until it has ended, or cancel it first.";
  }

  private static Outcome notOver(SteerScene scene) {
    return Outcome.no(
        "The task is "
            + scene.state()
            + ". Only a task that has ended can run again; perhaps somebody else was faster. Wait"
            + " until it has ended, or cancel it first.");
  }

  private static Outcome runAlone(SteerScene scene, String word, boolean dryRun) {
    if (scene.found().onlyWaits()) {
      return Outcome.no(
          "The task is "
              + scene.state()
              + ". It only waited for a time and has nothing to run again; submit it again.");
    }
    if (!dryRun) {
      scene.reopenAlone(word);
    }
    return scene.done(List.of(Changed.of(scene.task(), TaskState.PENDING, 1)), false);
  }

  private static Outcome runAgain(
      SteerScene scene, Around around, Reopening reopening, String word, boolean dryRun) {
    if (around.isBeingEnded()) {
      return scene.beingCancelled();
    }
    if (!dryRun) {
      scene.reopen(reopening, word);
      scene.planAgain(word);
    }
    return scene.done(changed(reopening), around.hasEnded());
  }

  private static List<Changed> changed(Reopening reopening) {
    var changed = new ArrayList<Changed>();
    reopening.ended().forEach(task -> changed.add(Changed.of(task, TaskState.WAITING, 1)));
    reopening.waiting().forEach(task -> changed.add(Changed.of(task, TaskState.WAITING, 1)));
    return changed;
  }

  /** Runs a task again that ended without success; what its end decided is decided again. */
  public TaskSteer retry(Request request) {
    return inRun(request, TaskSteering::retry);
  }

  static Outcome retry(SteerScene scene) {
    RunTask task = scene.task();
    if (!task.state().isTerminal()) {
      return notOver(scene);
    }
    if (!Reopening.isRetried(task.state(), task.settled())) {
      return Outcome.no(
          "The task is "
              + task.state()
              + ", so there is nothing to retry. To run it again anyway, clear it.");
    }
    Around around = scene.around();
    return around == null
        ? runAlone(scene, RETRIED, false)
        : runAgain(
            scene,
            around,
            Reopening.retry(task, around.select(Selection.DOWNSTREAM, task)),
            RETRIED,
            false);
  }

  /**
   * Gives the task this end. One that runs is asked to end first, and one that ended before ends
   * again, in the next generation.
   *
   * @param as SUCCEEDED or FAILED
   */
  public TaskSteer mark(Request request, TaskState as) {
    String word = "marked_" + as.name().toLowerCase(Locale.ROOT);
    return inRun(request, scene -> act(scene, Steer.mark(scene.state(), as), word));
  }

  /** Ends a task that does not run as SKIPPED. */
  public TaskSteer skip(Request request) {
    return inRun(request, scene -> act(scene, Steer.skip(scene.state()), Steer.SKIPPED));
  }

  /** Parks a task until a person unblocks it; one that runs is asked to end first. */
  public TaskSteer block(Request request) {
    return alone(request, scene -> act(scene, Steer.block(scene.state()), "blocked"));
  }

  private static Outcome act(SteerScene scene, Action action, String word) {
    return switch (action) {
      case Action.Nothing() -> scene.unchanged();
      case Action.No(var next) -> Outcome.no("The task is " + scene.state() + ". " + next);
      case Action.End(var reason) -> scene.abort(reason, word);
      case Action.Go(var through) -> go(scene, through, word);
    };
  }

  private static Outcome go(SteerScene scene, List<TaskState> through, String word) {
    RunTask task = scene.task();
    Around around = scene.around();
    boolean again = task.state().isTerminal();
    if (again && around != null && around.isBeingEnded()) {
      return scene.beingCancelled();
    }
    TaskState at = task.state();
    for (TaskState next : through) {
      scene.move(at, next, word);
      at = next;
    }
    var changed = new ArrayList<Changed>();
    changed.add(Changed.of(task, at, again ? 1 : 0));
    if (around != null && at.isTerminal()) {
      var reopening = Reopening.mark(task, around.select(Selection.DOWNSTREAM, task));
      scene.reopen(reopening, task.name() + " " + word);
      changed.addAll(changed(reopening));
    }
    if (again && around != null) {
      scene.planAgain(word);
    }
    return scene.done(changed, again && around != null && around.hasEnded());
  }

  /**
   * Changes the turn of an open task among those that wait for a worker.
   *
   * @param priority from {@link Steer#PRIORITY_MIN} to {@link Steer#PRIORITY_MAX}; higher is sooner
   */
  public TaskSteer prioritize(Request request, int priority) {
    return alone(request, scene -> prioritize(scene, priority));
  }

  static Outcome prioritize(SteerScene scene, int priority) {
    if (scene.state().isTerminal()) {
      return Outcome.no("The task is " + scene.state() + ". Only an open task waits for its turn.");
    }
    if (scene.found().priority() == priority) {
      return scene.unchanged();
    }
    scene.prioritize(priority);
    return scene.done(List.of(Changed.of(scene.task(), scene.state(), 0)), false);
  }

  /** A request that locks nothing but the task. */
  private TaskSteer alone(Request request, Function<SteerScene, Outcome> act) {
    return find(request)
        .map(
            _ ->
                told(
                    transactions.together(
                        statements ->
                            SteerScene.ofTask(statements, request.task(), request.wish())
                                .map(act)
                                .orElseGet(TaskSteering::gone))))
        .orElseGet(TaskSteer.NotFound::new);
  }

  /** A request that may change other tasks of the run, and the run itself. */
  private TaskSteer inRun(Request request, Function<SteerScene, Outcome> act) {
    var found = find(request);
    if (found.isEmpty()) {
      return new TaskSteer.NotFound();
    }
    SteeredTask seen = found.get();
    RunId run = seen.run();
    if (run == null) {
      return alone(request, act);
    }
    var graph = graphOf(run);
    if (graph.isEmpty()) {
      return new TaskSteer.Refused(
          "The workflow of the run " + run + " cannot be read. Nothing changed.");
    }
    return told(
        transactions.together(
            statements ->
                SteerScene.ofRun(statements, request.task(), request.wish(), run, graph.get())
                    .map(act)
                    .orElseGet(TaskSteering::gone)));
  }

  private Optional<SteeredTask> find(Request request) {
    return transactions.each(statements -> statements.taskSteer().find(request.task()));
  }

  static Outcome gone() {
    return Outcome.nothing(new TaskSteer.NotFound());
  }

  /**
   * The graph of a run; empty when it cannot be read. Not for use in a transaction: a version never
   * changes, and reading a large one takes time.
   */
  public Optional<Graph> graphOf(RunId run) {
    return transactions
        .each(statements -> statements.taskSteer().findSpec(run))
        .flatMap(this::graph);
  }

  private Optional<Graph> graph(String spec) {
    try {
      return Optional.of(Graph.of(decode.apply(spec)));
    } catch (Graph.NotAGraph | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  private TaskSteer told(Outcome outcome) {
    if (outcome.ended() != null) {
      meters.happened(Effects.ended(Map.of(outcome.ended(), 1), List.of()));
    }
    if (outcome.toTell() != null) {
      hints.mailbox(outcome.toTell());
    }
    if (outcome.changed()) {
      // The leader plans, and admits what is due, in a whole tick.
      hints.runChanged();
    }
    return outcome.answer();
  }
}
