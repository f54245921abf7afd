package dev.belay.domain.plan;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must change so that a run is where it should be. Doing it twice changes nothing more.
 *
 * @param deadlines of tasks that are there already when their run starts, which is after a retry
 * @param aborts active tasks whose run was cancelled
 * @param end set when every task is over, as far as the planner saw
 */
public record Plan(
    List<Creation> creations,
    List<Deadline> deadlines,
    List<Move> moves,
    List<TaskId> aborts,
    @Nullable RunMove end) {

  public Plan {
    creations = List.copyOf(creations);
    deadlines = List.copyOf(deadlines);
    moves = List.copyOf(moves);
    aborts = List.copyOf(aborts);
  }

  public boolean isEmpty() {
    return creations.isEmpty()
        && deadlines.isEmpty()
        && moves.isEmpty()
        && aborts.isEmpty()
        && end == null;
  }

  /** What a task that starts is to do. */
  public record Ready(Work work, Map<String, String> labels) {}

  /**
   * A task that does not exist yet.
   *
   * @param ready set when the task starts at once
   */
  public record Creation(TaskSpec task, TaskState state, String reason, @Nullable Ready ready) {
    public Creation {
      TaskTransitions.require(null, state);
    }
  }

  /** A task that must have ended so long from now. */
  public record Deadline(TaskId id, Duration after) {}

  /**
   * A task that goes from one state to another.
   *
   * @param ready set when the task starts
   */
  public record Move(
      TaskId id, TaskState from, TaskState to, String reason, @Nullable Ready ready) {
    public Move {
      TaskTransitions.require(from, to);
    }
  }

  /** The run itself goes on. */
  public record RunMove(RunState from, RunState to, String reason) {
    public RunMove {
      RunTransitions.require(from, to);
    }
  }
}
