package dev.belay.simulation;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Trigger;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.Observed.TaskChange;
import dev.belay.simulation.Observed.Upstream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The states of all tasks in the order of commits. */
final class Upstreams {
  private final Observed observed;
  private final Map<TaskId, TaskState> states = new HashMap<>();

  Upstreams(Observed observed) {
    this.observed = observed;
  }

  /** Tasks that became ready although those before them said neither then nor now that they may. */
  List<String> tooEarly(List<TaskChange> changes) {
    var suspects = new ArrayList<TaskChange>();
    for (TaskChange change :
        changes.stream().sorted(Comparator.comparingLong(TaskChange::id)).toList()) {
      states.put(change.task(), change.to());
      boolean ready = change.from() == TaskState.WAITING && change.to() == TaskState.SCHEDULED;
      if (ready && mustWait(change)) {
        suspects.add(change);
      }
    }
    // One transaction may end a task and start the next, in any order.
    return suspects.stream().filter(this::mustWait).map(TaskChange::toString).toList();
  }

  private boolean mustWait(TaskChange change) {
    return observed
        .upstreamOf(change.task())
        .filter(upstream -> decide(upstream) == Trigger.Decision.WAIT)
        .isPresent();
  }

  private Trigger.Decision decide(Upstream upstream) {
    return Trigger.decide(
        upstream.rule(),
        upstream.tasks().stream()
            .map(task -> states.getOrDefault(task, TaskState.WAITING))
            .toList());
  }
}
