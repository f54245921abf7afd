package dev.belay.domain.run;

/** The state of a run. {@link RunTransitions} has the legal transitions. */
public enum RunState {
  /**
   * Waits for its turn: new and without tasks, or retried. Only the leader starts it, so {@code
   * max_active} and pauses apply to both.
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
