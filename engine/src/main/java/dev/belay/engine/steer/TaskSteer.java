package dev.belay.engine.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.task.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a request about one task. */
public sealed interface TaskSteer {

  /**
   * A task that the request changes.
   *
   * @param to the same as {@code from} when it waits in a new generation
   */
  record Changed(TaskId id, String name, TaskState from, TaskState to, int generation) {
    static Changed of(RunTask task, TaskState to, int generations) {
      return new Changed(task.id(), task.name(), task.state(), to, task.generation() + generations);
    }
  }

  /**
   * It is done, or is what would be done.
   *
   * @param run its run, if it has one
   * @param reopened the run had ended and is QUEUED again
   */
  record Done(List<Changed> tasks, @Nullable RunId run, boolean reopened) implements TaskSteer {
    public Done {
      tasks = List.copyOf(tasks);
    }
  }

  /** It runs: its worker is asked to end it, and then it becomes so. */
  record Asked(TaskState state, TaskState then) implements TaskSteer {}

  /** It is so already, perhaps because another person was faster. */
  record Unchanged(TaskState state) implements TaskSteer {}

  /**
   * Nothing changed.
   *
   * @param why says what was found and what to do, for people
   */
  record Refused(String why) implements TaskSteer {}

  record NotFound() implements TaskSteer {}
}
