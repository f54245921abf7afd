package dev.belay.domain.plan;

import dev.belay.domain.plan.RunView.Failure;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the task to blame for a failed run: among the tasks whose own failure kept a leaf from
 * succeeding, the one that ended first. A failure that another branch handled is not a cause.
 */
final class FirstCause {

  private FirstCause() {}

  /**
   * @param reasonsNow by task name, for tasks that this plan ends; they count as later than all
   *     others
   * @param failedLeaves not empty
   */
  static String of(
      Graph graph,
      Map<String, TaskState> states,
      Map<String, TaskView> tasks,
      Map<String, String> reasonsNow,
      List<String> failedLeaves) {
    Set<String> causes = causes(graph, states, failedLeaves);
    @Nullable String first = null;
    Instant firstAt = Instant.MAX;
    for (TaskSpec task : graph.ordered()) {
      if (causes.contains(task.name())) {
        Failure failure = failure(tasks.get(task.name()));
        Instant at = failure == null ? Instant.MAX : failure.at();
        if (first == null || at.isBefore(firstAt)) {
          first = task.name();
          firstAt = at;
        }
      }
    }
    if (first == null) {
      String leaf = failedLeaves.getFirst();
      return leaf + ": " + states.get(leaf);
    }
    Failure failure = failure(tasks.get(first));
    String reason = failure != null ? failure.reason() : reasonsNow.get(first);
    return first + ": " + (reason == null ? states.get(first) : reason);
  }

  private static @Nullable Failure failure(@Nullable TaskView task) {
    return task == null ? null : task.failure();
  }

  /** Walks up from the leaves through tasks that failed only because of their upstream. */
  private static Set<String> causes(
      Graph graph, Map<String, TaskState> states, Collection<String> leaves) {
    Map<String, TaskSpec> specs = new HashMap<>();
    graph.ordered().forEach(task -> specs.put(task.name(), task));
    Set<String> seen = new HashSet<>(leaves);
    Set<String> causes = new HashSet<>();
    var open = new ArrayDeque<>(leaves);
    while (!open.isEmpty()) {
      String name = open.remove();
      if (states.getOrDefault(name, TaskState.WAITING).isOwnFailure()) {
        causes.add(name);
        continue;
      }
      TaskSpec task = specs.get(name);
      if (task != null) {
        task.dependsOn().stream()
            .filter(on -> hasFailed(states.getOrDefault(on, TaskState.WAITING)))
            .filter(seen::add)
            .forEach(open::add);
      }
    }
    return causes;
  }

  static boolean hasFailed(TaskState state) {
    return state.isOwnFailure() || state == TaskState.UPSTREAM_FAILED;
  }
}
