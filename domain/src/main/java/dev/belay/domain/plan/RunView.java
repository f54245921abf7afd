package dev.belay.domain.plan;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.task.TaskState;
import java.util.Map;

/**
 * A run as the planner sees it.
 *
 * @param tasks by name; empty until the run is started
 */
public record RunView(
    RunState state, boolean cancelRequested, Expressions.Scope scope, Map<String, TaskView> tasks) {

  /** One task of the run. */
  public record TaskView(TaskId id, TaskState state) {}
}
