package dev.belay.engine.statement;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.wait.Unserved;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The task queues that nothing can serve, one row each. The leader writes them, so its successor
 * knows since when, and any replica explains them.
 */
public interface UnservedStatements {

  /**
   * @param since when a leader noticed it first
   * @param age how long ago that was, by the database's clock
   */
  record Noted(QueueId queue, Unserved why, Instant since, Duration age) {}

  record Note(QueueId queue, Unserved why) {}

  List<Noted> read(int max);

  /**
   * Notes those that nothing can serve. One that is known keeps its time.
   *
   * @return those that exist, with their times
   */
  List<Noted> note(List<Note> queues);

  /** Something can serve these again. */
  void forget(Collection<QueueId> queues);

  /**
   * Forgets those in which no task waits.
   *
   * @return which
   */
  List<QueueId> forgetIdle(Collection<QueueId> queues);
}
