package dev.belay.engine.admit;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Passes PENDING tasks through admission. */
public final class Promotion implements DueTasks {

  private static final String ACTOR = "dispatcher";

  private final Transactions transactions;
  private final DispatchStore dispatches;

  public Promotion(Transactions transactions, DispatchStore dispatches) {
    this.transactions = transactions;
    this.dispatches = dispatches;
  }

  @Override
  public Promoted promote(Epoch epoch, int max) {
    Optional<Duration> next = dispatches.readNextDue();
    if (next.isEmpty() || next.get().isPositive()) {
      return new Promoted(0, next);
    }
    int promoted =
        transactions.asLeader(
            epoch,
            statements ->
                admit(statements, statements.admission().lockDue(max), "due", ACTOR).size());
    return new Promoted(promoted, dispatches.readNextDue());
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
