package dev.belay.engine.statement;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks whose time has come, and PENDING ones that may ask for admission. */
public interface AdmissionStatements {

  /**
   * A task whose time has come.
   *
   * @param state PENDING or DEFERRED
   * @param queue null for a task that only waits
   */
  record Due(TaskId task, TaskState state, @Nullable RunId run, @Nullable QueueId queue) {}

  /** Locks due tasks, the longest due first. */
  List<Due> lockDue(int max);

  /**
   * @param sinceMovable how long it could have moved
   */
  record Stuck(TaskId task, Duration sinceMovable) {}

  /** Locks tasks that could have moved this long ago; skips those that others have locked. */
  List<Stuck> lockStuck(Duration pending, int max);
}
