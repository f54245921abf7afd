package dev.belay.engine.deadletter;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.DeadLetterStatements.Letter;
import dev.belay.engine.statement.DeadLetterStatements.Retried;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.engine.steer.TaskSteering;
import java.util.Optional;
import java.util.Set;

/**
 * Retries dead letters. The request of a task without a run becomes a new task: one statement
 * stores it and links the dead letter to it, so of any number of retries exactly one makes a task.
 * A task of a run runs again in its run, in its next generation.
 */
public final class LetterRetry {

  private final Transactions transactions;
  private final TaskSteering steering;
  private final Ids ids;
  private final Hints hints;

  public LetterRetry(Transactions transactions, TaskSteering steering, Ids ids, Hints hints) {
    this.transactions = transactions;
    this.steering = steering;
    this.ids = ids;
    this.hints = hints;
  }

  /** The answer to a retry. */
  public sealed interface Answer {

    /** Its request is a task again. */
    record Submitted(TaskId task) implements Answer {}

    /** Its task runs again in its run. */
    record Reopened(TaskId task, RunId run) implements Answer {}

    /** Somebody retried it before. */
    record Already(Retried by) implements Answer {}

    /**
     * Nothing changed.
     *
     * @param why says what was found and what to do, for people
     */
    record Refused(String why) implements Answer {}

    record NotFound() implements Answer {}
  }

  public Answer retry(DeadLetterId id, String actor) {
    Optional<Letter> found = transactions.each(statements -> statements.deadLetters().find(id));
    if (found.isEmpty()) {
      return new Answer.NotFound();
    }
    Letter letter = found.get();
    Retried before = letter.retried();
    if (before != null) {
      return new Answer.Already(before);
    }
    RunId run = letter.run();
    return run == null ? resubmit(id, actor) : reopen(id, letter.task(), run, actor);
  }

  private Answer resubmit(DeadLetterId id, String actor) {
    var as = new TaskId(ids.next());
    if (transactions.together(statements -> resubmit(statements, id, as, actor))) {
      hints.workReady(Set.of()); // Only the statement knows the task queue.
      return new Answer.Submitted(as);
    }
    return already(id).orElseGet(Answer.NotFound::new);
  }

  /**
   * In the caller's transaction.
   *
   * @return false when it was retried before
   */
  public static boolean resubmit(Statements statements, DeadLetterId id, TaskId as, String actor) {
    var admitted = Admission.admit("retried: dead letter " + id);
    return statements.deadLetters().resubmit(id, as, admitted.state(), admitted.reason(), actor);
  }

  /** The statement that reopens the task notes that its dead letter is retried. */
  private Answer reopen(DeadLetterId id, TaskId task, RunId run, String actor) {
    var request = new TaskSteering.Request(task, "dead letter " + id, actor);
    return switch (steering.retry(request)) {
      case TaskSteer.Done _ -> new Answer.Reopened(task, run);
      case TaskSteer.Refused(var why) -> already(id).orElseGet(() -> new Answer.Refused(why));
      case TaskSteer.Asked _, TaskSteer.Unchanged _ ->
          throw new IllegalStateException("a retry neither asks nor leaves a task unchanged");
      case TaskSteer.NotFound _ ->
          new Answer.Refused(
              "The task "
                  + task
                  + " of the run "
                  + run
                  + " was removed. Start the workflow again.");
    };
  }

  private Optional<Answer> already(DeadLetterId id) {
    return transactions
        .each(statements -> statements.deadLetters().find(id))
        .map(Letter::retried)
        .map(Answer.Already::new);
  }
}
