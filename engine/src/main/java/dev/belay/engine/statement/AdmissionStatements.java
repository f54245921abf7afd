package dev.belay.engine.statement;

import dev.belay.domain.id.TaskId;
import java.time.Duration;
import java.util.List;

/** PENDING tasks that may ask for admission. */
public interface AdmissionStatements {

  /** Locks those whose time has come, the longest due first. */
  List<TaskId> lockDue(int max);

  /**
   * @param sinceMovable since when it could have moved
   */
  record Stuck(TaskId task, Duration sinceMovable) {}

  /** Locks those that could have moved this long ago; leaves out what another has locked. */
  List<Stuck> lockStuck(Duration pending, int max);
}
