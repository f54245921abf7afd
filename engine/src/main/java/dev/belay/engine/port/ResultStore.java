package dev.belay.engine.port;

import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.util.List;
import java.util.Map;

/** Where the reports of workers are written. */
@FunctionalInterface
public interface ResultStore {

  /**
   * Writes a batch in one transaction by compare-and-set; the answers, in the order of the events,
   * are true after it returned. An exception means that nothing was written, or that nobody knows:
   * then the same batch may be given again.
   */
  Outcome apply(List<WorkerEvent> events);

  /** Whether {@link #apply} failed with this because the store cannot be reached now. */
  default boolean isAway(RuntimeException failure) {
    return false;
  }

  /**
   * @param ended how many tasks reached a terminal state, by state
   * @param runsChanged a mark was appended, or a task waits for a time
   * @param workReady a task may be dispatched now, or a slot became free
   */
  record Outcome(
      List<Settlement> settlements,
      Map<TaskState, Integer> ended,
      boolean runsChanged,
      boolean workReady) {}
}
