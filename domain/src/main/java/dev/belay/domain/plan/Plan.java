package dev.belay.domain.plan;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes that bring a run to where it should be. Applying a plan again changes nothing.
 *
 * @param deadlines of tasks that already exist when their run starts, or that were cleared
 * @param aborts active tasks of a run that must end
 * @param timeout how long the run may be RUNNING, if this plan starts it; null means no limit
 * @param end set when the planner saw every task in a terminal state
 */
public record Plan(
    List<Creation> creations,
    List<Deadline> deadlines,
    List<Move> moves,
    List<TaskId> aborts,
    @Nullable Duration timeout,
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

  /**
   * What a task that is ready does. Exactly one of work and timer is set.
   *
   * @param work for a worker, with every expression resolved
   * @param queue where it waits for a worker; set exactly with work
   * @param timer the end of a task that only waits
   */
  public record Ready(
      @Nullable Work work,
      @Nullable TaskQueue queue,
      @Nullable DueTime timer,
      Map<String, String> labels) {
    public Ready {
      if ((work == null) == (timer == null)) {
        throw new IllegalArgumentException("exactly one of work and timer must be set");
      }
      if ((work == null) != (queue == null)) {
        throw new IllegalArgumentException("work needs a task queue");
      }
    }

    public Ready(Work work, TaskQueue queue, Map<String, String> labels) {
      this(work, queue, null, labels);
    }

    public Ready(DueTime timer, Map<String, String> labels) {
      this(null, null, timer, labels);
    }
  }

  /**
   * A task to insert.
   *
   * @param ready set when the task starts or begins to wait for a time at once
   */
  public record Creation(TaskSpec task, TaskState state, String reason, @Nullable Ready ready) {
    public Creation {
      TaskTransitions.require(null, state);
    }
  }

  /** A task that must end within this time from now. */
  public record Deadline(TaskId id, Duration after) {}

  /**
   * A task that changes its state.
   *
   * @param generation in which it must still be; {@link #ANY_GENERATION} when it is locked
   * @param ready set when the task starts or begins to wait for a time
   */
  public record Move(
      TaskId id,
      int generation,
      TaskState from,
      TaskState to,
      String reason,
      @Nullable Ready ready) {

    public static final int ANY_GENERATION = 0;

    public Move {
      TaskTransitions.require(from, to);
    }
  }

  /** A change of the run's own state. */
  public record RunMove(RunState from, RunState to, String reason) {
    public RunMove {
      RunTransitions.require(from, to);
    }
  }
}
