package dev.belay.domain.admission;

import dev.belay.domain.task.TaskState;

/**
 * Whether a task that could run may. A new task, one of a run whose turn has come, one whose wait
 * is over and one that an attempt gave back all ask here, and nobody else makes a task SCHEDULED.
 */
public final class Admission {

  private Admission() {}

  /** The state that the task enters. */
  public record Admitted(TaskState state, String reason) {}

  /**
   * Today every task is admitted.
   *
   * @param because why it asks now
   */
  public static Admitted admit(String because) {
    return new Admitted(TaskState.SCHEDULED, because);
  }
}
