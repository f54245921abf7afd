package dev.belay.domain.plan;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The planner's view of a run.
 *
 * @param ending why its tasks must end: CANCELLED or RUN_TIMEOUT; null while nothing ends it
 * @param tasks by name; empty until the run starts
 */
public record RunView(
    RunState state,
    @Nullable AbortReason ending,
    Expressions.Scope scope,
    Map<String, TaskView> tasks) {

  /**
   * One task of the run.
   *
   * @param failure set when the task itself failed, not when its upstream did
   */
  public record TaskView(TaskId id, TaskState state, @Nullable Failure failure, Life life) {
    public TaskView(TaskId id, TaskState state) {
      this(id, state, null, Life.FIRST);
    }
  }

  /**
   * The generation of a task. A plan applies only to the generation that it was made for.
   *
   * @param hasDeadline false until the start of its run, or the plan after a clear, sets it
   */
  public record Life(int generation, boolean hasDeadline) {
    public static final Life FIRST = new Life(1, true);
  }

  /** Why and when a task ended without success. */
  public record Failure(String reason, Instant at) {}
}
