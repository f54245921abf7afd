package dev.belay.simulation;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.util.HashMap;
import java.util.Map;

/** The marks that attempts were asked to end for, derived only from the histories. */
final class Marks {
  static final String SUCCEEDED = AbortReason.MARKED_SUCCEEDED.word();
  private static final String ASKED = "asked to end, ";

  private final Map<TaskId, TaskState> wanted = new HashMap<>();

  /** Takes the next change of a task; false when it leaves its attempt for something else. */
  boolean isKept(Observed.TaskChange change) {
    if (TaskTransitions.isRemark(change.from(), change.to())) {
      if (change.reason().startsWith(ASKED)) {
        AbortReason.of(change.reason().substring(ASKED.length()))
            .map(AbortReason::leadsTo)
            .ifPresent(state -> wanted.put(change.task(), state));
      }
      return true;
    }
    if (change.to().isActive()) {
      return true;
    }
    var asked = wanted.remove(change.task());
    return asked == null || change.to() == asked || change.to() == TaskState.SUCCEEDED;
  }
}
