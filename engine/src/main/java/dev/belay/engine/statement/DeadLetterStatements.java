package dev.belay.engine.statement;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.deadletter.Fingerprint;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.DeadLettered;
import java.util.List;

/** Dead letters. A dead letter belongs to one generation of its task. */
public interface DeadLetterStatements {

  /**
   * The dead letter of a task that is FAILED and locked. The statement adds the request of the
   * task, and the dead letter that the task was a retry of.
   */
  record NewLetter(
      DeadLetterId id,
      TaskId task,
      DeadLetterReason reason,
      String detail,
      Fingerprint fingerprint) {}

  /**
   * Writes dead letters in the transaction that ended their tasks. Omits tasks of runs whose reason
   * is {@link DeadLetterReason#FAILED}: the run shows and retries those.
   */
  List<DeadLettered> insert(List<NewLetter> letters);
}
