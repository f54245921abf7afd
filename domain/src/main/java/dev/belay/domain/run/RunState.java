package dev.belay.domain.run;

/** Where a run is in its life. {@link RunTransitions} says how it may go on. */
public enum RunState {
  /**
   * Waits for its turn: accepted, with no tasks yet, or retried. Only the leader starts it, so that
   * {@code max_active} and a pause hold for both.
   */
  QUEUED,
  /** Its tasks exist and some of them are open. */
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  public boolean isTerminal() {
    return switch (this) {
      case QUEUED, RUNNING -> false;
      case SUCCEEDED, FAILED, CANCELLED -> true;
    };
  }
}
