package dev.belay.domain.plan;

import dev.belay.domain.task.TaskState;

/** Decides which tasks of an ended run a retry resets. */
public final class Retries {

  private Retries() {}

  /**
   * Whether the task waits again. Every task without success does. A task that was skipped before
   * it ran is decided anew, and skipped again if nothing upstream changed. A task that ran and
   * reported "skipped" by its exit code is done, and so is one that a person skipped.
   *
   * @param settled it was started in this generation, or a person skipped it
   */
  public static boolean resets(TaskState state, boolean settled) {
    return switch (state) {
      case FAILED, TIMEOUT, CANCELLED, DENIED, OUTPUT_QUARANTINED, UPSTREAM_FAILED -> true;
      case SKIPPED -> !settled;
      case SUCCEEDED -> false;
      case WAITING, PENDING, APPROVAL_REQUIRED, SCHEDULED, DISPATCHED, RUNNING, DEFERRED, BLOCKED ->
          throw new IllegalArgumentException("a run with a task that is " + state + " is not over");
    };
  }
}
