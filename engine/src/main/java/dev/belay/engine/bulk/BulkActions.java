package dev.belay.engine.bulk;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.bulk.BulkRefusal;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.bulk.BulkAction.Done;
import dev.belay.engine.deadletter.LetterRetry;
import dev.belay.engine.port.Effects;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.BulkStatements.Item;
import dev.belay.engine.statement.BulkStatements.Order;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.steer.Cancel;
import dev.belay.engine.steer.RunRetry;
import dev.belay.engine.steer.Steering;
import dev.belay.engine.steer.TaskScript;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.engine.steer.Terminate;
import dev.belay.engine.steer.Termination;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The action of each kind. */
final class BulkActions {

  private final Map<BulkKind, BulkAction> actions = new EnumMap<>(BulkKind.class);

  /**
   * @param graphs reads the graph of a run
   * @param ids of new tasks
   */
  BulkActions(Function<RunId, Optional<Graph>> graphs, Ids ids) {
    for (BulkKind kind : BulkKind.values()) {
      actions.put(
          kind,
          switch (kind) {
            case CANCEL -> new CancelTask();
            case RETRY -> new RetryTask(graphs);
            case PRIORITY -> new PrioritizeTask();
            case CANCEL_RUNS -> new CancelRun();
            case RETRY_RUNS -> new RetryRun();
            case RETRY_DEAD_LETTERS -> new RetryLetter(new RetryTask(graphs), ids);
          });
    }
  }

  BulkAction of(BulkKind kind) {
    return requireNonNull(actions.get(kind));
  }

  private static TaskSteering.Request request(Order order, Item item) {
    return new TaskSteering.Request(new TaskId(item.id()), order.note(), order.actor());
  }

  private static Done steered(TaskScript.Written written) {
    return switch (written.answer()) {
      case TaskSteer.Done _, TaskSteer.Asked _ ->
          Done.changed(written.toTell(), written.changed(), written.effects());
      case TaskSteer.Unchanged(var state) ->
          Done.refused(BulkRefusal.UNCHANGED, "The task is " + state + ", as before.");
      case TaskSteer.Refused(var why) -> Done.refused(BulkRefusal.NOT_ALLOWED, why);
      case TaskSteer.NotFound _ -> notFound("task");
    };
  }

  private static Done notFound(String what) {
    return Done.refused(BulkRefusal.NOT_FOUND, "The " + what + " was removed.");
  }

  private static final class CancelTask implements BulkAction {
    @Override
    public boolean locksOnlyItself(Item item) {
      return true;
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      var written =
          Termination.terminate(
              statements,
              new TaskId(item.id()),
              new Abort(AbortReason.CANCELLED, order.actor(), order.note()));
      return switch (written.answer()) {
        case Terminate.Done _, Terminate.Asked _ ->
            Done.changed(written.toTell(), written.runChanged(), written.effects());
        case Terminate.AlreadyAsked asked ->
            Done.refused(
                BulkRefusal.ALREADY_ENDING,
                "Its attempt was asked to end before: " + asked.reason().word() + ".");
        case Terminate.NothingToDo(var state) ->
            Done.refused(BulkRefusal.NOT_ALLOWED, "The task is " + state + ".");
        case Terminate.AlreadyOver(var state) ->
            Done.refused(BulkRefusal.UNCHANGED, "The task is over: " + state + ".");
        case Terminate.NotFound _ -> notFound("task");
      };
    }
  }

  private static final class PrioritizeTask implements BulkAction {
    @Override
    public boolean locksOnlyItself(Item item) {
      return true;
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      int priority = requireNonNull(order.priority());
      return steered(TaskScript.prioritize(statements, request(order, item), priority));
    }
  }

  /** A task of a run takes the tasks after it along, so it needs the run's graph and its locks. */
  private static final class RetryTask implements BulkAction {
    private final Function<RunId, Optional<Graph>> graphs;

    /** Tasks of a run mostly follow each other. */
    private @Nullable RunId known;

    private Optional<Graph> graph = Optional.empty();

    RetryTask(Function<RunId, Optional<Graph>> graphs) {
      this.graphs = graphs;
    }

    @Override
    public boolean locksOnlyItself(Item item) {
      return item.run() == null;
    }

    @Override
    public void prepare(Item item) {
      RunId run = item.run();
      if (run != null && !run.equals(known)) {
        graph = graphs.apply(run);
        known = run;
      }
    }

    @Override
    public void lockBefore(Statements statements, Item item) {
      RunId run = item.run();
      if (run != null) {
        statements.taskSteer().lockTasksOfRun(run);
      }
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      RunId run = item.run();
      if (run == null) {
        return steered(TaskScript.retry(statements, request(order, item)));
      }
      return graph
          .map(found -> steered(TaskScript.retry(statements, request(order, item), run, found)))
          .orElseGet(
              () ->
                  Done.refused(
                      BulkRefusal.NOT_ALLOWED,
                      "The workflow of the run " + run + " cannot be read."));
    }
  }

  /** A task without a run becomes a new one; another runs again in its run. */
  private static final class RetryLetter implements BulkAction {
    private final RetryTask inRun;
    private final Ids ids;

    RetryLetter(RetryTask inRun, Ids ids) {
      this.inRun = inRun;
      this.ids = ids;
    }

    @Override
    public boolean locksOnlyItself(Item item) {
      return inRun.locksOnlyItself(item);
    }

    @Override
    public void prepare(Item item) {
      inRun.prepare(item);
    }

    @Override
    public void lockBefore(Statements statements, Item item) {
      inRun.lockBefore(statements, item);
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      var id = new DeadLetterId(item.id());
      if (item.run() != null) {
        return statements
            .deadLetters()
            .find(id)
            .map(
                letter -> inRun.act(statements, order, new Item(letter.task().value(), item.run())))
            .orElseGet(() -> notFound("dead letter"));
      }
      return LetterRetry.resubmit(statements, id, new TaskId(ids.next()), order.actor())
          ? Done.changed(Set.of(), true, Effects.NONE)
          : Done.refused(BulkRefusal.UNCHANGED, "Somebody has retried it.");
    }
  }

  private static final class CancelRun implements BulkAction {
    @Override
    public boolean locksOnlyItself(Item item) {
      return false;
    }

    @Override
    public void lockBefore(Statements statements, Item item) {
      statements.steer().lockDispatchesOfRun(new RunId(item.id()));
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      var written = Steering.cancelRun(statements.steer(), new RunId(item.id()), order.actor());
      return switch (written.answer()) {
        case Cancel.Asked _ ->
            written.runChanged()
                ? Done.changed(written.toTell(), true, Effects.NONE)
                : Done.refused(BulkRefusal.ALREADY_ENDING, "The run was asked to end before.");
        case Cancel.AlreadyOver(var state) ->
            Done.refused(BulkRefusal.UNCHANGED, "The run is over: " + state + ".");
        case Cancel.NotFound _ -> notFound("run");
      };
    }
  }

  private static final class RetryRun implements BulkAction {
    @Override
    public boolean locksOnlyItself(Item item) {
      return false;
    }

    @Override
    public void lockBefore(Statements statements, Item item) {
      statements.taskSteer().lockTasksOfRun(new RunId(item.id()));
    }

    @Override
    public Done act(Statements statements, Order order, Item item) {
      return switch (Steering.retryRun(statements, new RunId(item.id()), order.actor())) {
        case RunRetry.Done _ -> Done.changed(Set.of(), true, Effects.NONE);
        case RunRetry.Refused(var state) ->
            Done.refused(BulkRefusal.NOT_ALLOWED, "The run is " + state + ".");
        case RunRetry.NotFound _ -> notFound("run");
      };
    }
  }
}
