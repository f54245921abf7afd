package dev.belay.engine.deadletter;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.deadletter.Fingerprint;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.DeadLetterStatements;
import dev.belay.engine.statement.DeadLetterStatements.NewLetter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides which ends of tasks have a dead letter, and writes it in the same transaction. */
public final class DeadLetters {

  private final Ids ids;
  private final boolean alsoFailed;

  /**
   * @param alsoFailed a task without a run that has failed has a dead letter, too
   */
  public DeadLetters(Ids ids, boolean alsoFailed) {
    this.ids = ids;
    this.alsoFailed = alsoFailed;
  }

  /** Those that results and losses ended. They are written, and their tasks are locked. */
  public List<DeadLettered> ofResults(DeadLetterStatements statements, List<Change> changes) {
    List<NewLetter> letters = new ArrayList<>();
    for (Change change : changes) {
      reason(change)
          .ifPresent(
              reason -> letters.add(letter(change.guard().task(), reason, detail(change, reason))));
    }
    return letters.isEmpty() ? List.of() : statements.insert(letters);
  }

  private Optional<DeadLetterReason> reason(Change change) {
    if (change.to() != TaskState.FAILED) {
      return Optional.empty();
    }
    if (change.reason().startsWith(RetryDecision.DISPATCH_FAILED)) {
      return Optional.of(DeadLetterReason.DISPATCH_FAILED);
    }
    return alsoFailed && !isMarked(change)
        ? Optional.of(DeadLetterReason.FAILED)
        : Optional.empty();
  }

  /** A person decided that it failed, and knows of it. */
  private static boolean isMarked(Change change) {
    return change.reason().startsWith(AbortReason.MARKED_FAILED.word());
  }

  private static String detail(Change change, DeadLetterReason reason) {
    String prefix = reason.word() + ": ";
    return change.reason().startsWith(prefix)
        ? change.reason().substring(prefix.length())
        : change.reason();
  }

  NewLetter letter(TaskId task, DeadLetterReason reason, String detail) {
    return new NewLetter(
        new DeadLetterId(ids.next()), task, reason, detail, Fingerprint.of(reason, detail));
  }
}
