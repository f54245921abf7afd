package dev.belay.domain.plan;

import dev.belay.domain.task.TaskState;

/** What a retry of an ended run does to its tasks. */
public final class Retries {

  private Retries() {}

  /**
   * Whether the task waits again. What did not succeed does. What was skipped without having run
   * was skipped because of others, or by its condition: it is decided anew, and skipped again when
   * nothing before it changed. A task that ran and said "skipped" by its exit code has done its
   * part.
   *
   * @param ran it was started in this generation
   */
  public static boolean resets(TaskState state, boolean ran) {
    return switch (state) {
      case FAILED, TIMEOUT, CANCELLED, DENIED, OUTPUT_QUARANTINED, UPSTREAM_FAILED -> true;
      case SKIPPED -> !ran;
      case SUCCEEDED -> false;
      case WAITING, PENDING, APPROVAL_REQUIRED, SCHEDULED, DISPATCHED, RUNNING, DEFERRED, BLOCKED ->
          throw new IllegalArgumentException("a run with a task that is " + state + " is not over");
    };
  }
}
