package dev.belay.engine.statement;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.deadletter.Fingerprint;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DeadLettered;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters. A dead letter belongs to one generation of its task. {@link
 * TaskSteerStatements#reopen} notes that it is retried when its task runs again.
 */
public interface DeadLetterStatements {

  /**
   * A task queue that nothing can serve.
   *
   * @param detail for people
   * @param since the database's time since which nothing could
   * @param patience how long a task waits before it is given up
   */
  record Hopeless(
      QueueId queue, DeadLetterReason reason, String detail, Instant since, Duration patience) {}

  /** The version of what people declared, which nobody changes until this transaction ends. */
  long lockRouting();

  /**
   * Ends tasks that wait in these task queues as FAILED, marks their runs, and writes the history.
   * Leaves those alone that have not waited there, since then, for so long.
   */
  List<GivenUp> giveUp(List<Hopeless> queues, int max, String actor);

  /** A task that was ended, and is locked. */
  record GivenUp(TaskId task, @Nullable RunId run, QueueId queue) {}

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

  /**
   * A dead letter, without a lock.
   *
   * @param run set when its task belongs to a run
   * @param retried null when nobody has retried it
   */
  record Letter(TaskId task, int generation, @Nullable RunId run, @Nullable Retried retried) {}

  record Retried(TaskId as, Instant at, String by) {}

  Optional<Letter> find(DeadLetterId letter);

  /**
   * Stores the request of a dead letter, whose task has no run, as a new task, and links the two.
   *
   * @param state what admission decided
   * @return false when it was retried before
   */
  boolean resubmit(DeadLetterId letter, TaskId as, TaskState state, String reason, String actor);
}
