package dev.belay.engine.statement;

import dev.belay.domain.id.TaskId;
import java.time.Duration;
import java.util.List;

/** PENDING tasks that may ask for admission. */
public interface AdmissionStatements {

  /** Locks due tasks, the longest due first. */
  List<TaskId> lockDue(int max);

  /**
   * @param sinceMovable how long it could have moved
   */
  record Stuck(TaskId task, Duration sinceMovable) {}

  /** Locks tasks that could have moved this long ago; skips those that others have locked. */
  List<Stuck> lockStuck(Duration pending, int max);
}
