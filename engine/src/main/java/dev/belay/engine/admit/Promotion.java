package dev.belay.engine.admit;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.AdmissionStatements.Due;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passes PENDING tasks through admission, and ends waits, when their time has come. */
public final class Promotion implements DueTasks {

  private static final String ACTOR = "dispatcher";

  private final Transactions transactions;
  private final DispatchStore dispatches;
  private final Meters meters;

  public Promotion(Transactions transactions, DispatchStore dispatches, Meters meters) {
    this.transactions = transactions;
    this.dispatches = dispatches;
    this.meters = meters;
  }

  @Override
  public Promoted promote(Epoch epoch, int max) {
    Optional<Duration> next = dispatches.readNextDue();
    if (next.isEmpty() || next.get().isPositive()) {
      return Promoted.none(next);
    }
    Fired fired = transactions.asLeader(epoch, statements -> fire(statements, max));
    meters.happened(Effects.ended(fired.ended(), List.of()));
    return new Promoted(fired.count(), dispatches.readNextDue(), fired.marked(), fired.queues());
  }

  /** Tasks that one transaction moved. */
  private record Fired(
      int count, Map<TaskState, Integer> ended, boolean marked, Set<QueueId> queues) {}

  private static Fired fire(Statements statements, int max) {
    List<Due> due = statements.admission().lockDue(max);
    if (due.isEmpty()) {
      return new Fired(0, Map.of(), false, Set.of());
    }
    Set<TaskId> moved =
        statements.plans().moveTasks(due.stream().map(Promotion::move).toList(), ACTOR);
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    Set<RunId> runs = new LinkedHashSet<>();
    Set<QueueId> queues = new LinkedHashSet<>();
    for (Due one : due) {
      TaskState to = Admission.due(one.state()).state();
      if (moved.contains(one.task()) && to.isTerminal()) {
        ended.merge(to, 1, Integer::sum);
        if (one.run() != null) {
          runs.add(one.run());
        }
      } else if (one.queue() != null) {
        queues.add(one.queue());
      }
    }
    if (!runs.isEmpty()) {
      statements.plans().mark(runs);
    }
    return new Fired(moved.size(), ended, !runs.isEmpty(), queues);
  }

  private static Move move(Due due) {
    var admitted = Admission.due(due.state());
    return new Move(
        due.task(), Move.ANY_GENERATION, due.state(), admitted.state(), admitted.reason(), null);
  }

  /**
   * Runs in the caller's transaction.
   *
   * @param tasks PENDING, and locked
   * @return the tasks that moved
   */
  public static Set<TaskId> admit(
      Statements statements, Collection<TaskId> tasks, String because, String actor) {
    if (tasks.isEmpty()) {
      return Set.of();
    }
    var admitted = Admission.admit(because);
    List<Move> moves =
        tasks.stream()
            .map(
                task ->
                    new Move(
                        task,
                        Move.ANY_GENERATION,
                        TaskState.PENDING,
                        admitted.state(),
                        admitted.reason(),
                        null))
            .toList();
    return statements.plans().moveTasks(moves, actor);
  }
}
