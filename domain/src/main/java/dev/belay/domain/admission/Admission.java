package dev.belay.domain.admission;

import dev.belay.domain.task.TaskState;

/**
 * Decides whether a task that is ready may run. Every path to SCHEDULED goes through here: a new
 * task, the start of its run, the end of a wait, and a task that an attempt gave back. A task that
 * a person resumes waits for it in PENDING.
 */
public final class Admission {

  private Admission() {}

  /** The state that the task enters. */
  public record Admitted(TaskState state, String reason) {}

  /**
   * A task that was parked asks for admission, like one whose wait is over: the leader admits it.
   *
   * @param because why the task asks now
   */
  public static Admitted askAgain(String because) {
    return new Admitted(TaskState.PENDING, because);
  }

  /**
   * Currently admits every task.
   *
   * @param because why the task asks now
   */
  public static Admitted admit(String because) {
    return new Admitted(TaskState.SCHEDULED, because);
  }
}
