package dev.belay.domain.admission;

import dev.belay.domain.spec.DueTime;
import dev.belay.domain.task.TaskState;
import org.jspecify.annotations.Nullable;

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
   * A task that a client submits. One with a time asks for admission when that has come.
   *
   * @param onlyWaits its timer is all that it does
   */
  public static Admitted submit(@Nullable DueTime timer, boolean onlyWaits) {
    if (timer == null) {
      return admit("submitted");
    }
    return onlyWaits
        ? defer("waiting")
        : new Admitted(TaskState.PENDING, timer.after() == null ? "run_at" : "delayed");
  }

  /** A task that only waits needs no worker: it is ready, and its wait begins. */
  public static Admitted defer(String because) {
    return new Admitted(TaskState.DEFERRED, because);
  }

  /**
   * The time that a task waited for has come. A wait was all that a DEFERRED task had to do.
   *
   * @param state in which it waited
   */
  public static Admitted due(TaskState state) {
    return switch (state) {
      case PENDING -> admit("due");
      case DEFERRED -> new Admitted(TaskState.SUCCEEDED, "wait_over");
      case WAITING,
          APPROVAL_REQUIRED,
          SCHEDULED,
          DISPATCHED,
          RUNNING,
          BLOCKED,
          SUCCEEDED,
          FAILED,
          TIMEOUT,
          CANCELLED,
          DENIED,
          OUTPUT_QUARANTINED,
          SKIPPED,
          UPSTREAM_FAILED ->
          throw new IllegalArgumentException("waits for no time: " + state);
    };
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
