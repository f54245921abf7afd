package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import java.util.HashMap;
import java.util.Map;

/** The generation of each task and dispatch, derived only from the histories. */
final class Generations {
  private final Map<TaskId, Integer> ofTask = new HashMap<>();
  private final Map<DispatchId, Integer> ofDispatch = new HashMap<>();

  /** How often the task was reopened. */
  int of(TaskId task) {
    return ofTask.getOrDefault(task, 0);
  }

  /** Takes the next change of a task; false when its dispatch belongs to an earlier generation. */
  boolean isOwn(Observed.TaskChange change) {
    boolean retried =
        change.from() != null && change.from().isTerminal() && !change.to().isTerminal();
    int now = ofTask.merge(change.task(), retried ? 1 : 0, Integer::sum);
    var dispatch = change.dispatch();
    if (dispatch == null) {
      return true;
    }
    if (change.to() == TaskState.DISPATCHED) {
      ofDispatch.put(dispatch, now);
    }
    return ofDispatch.getOrDefault(dispatch, now) == now;
  }
}
