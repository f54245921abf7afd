package dev.belay.domain.run;

/** Where a run is in its life. {@link RunTransitions} says how it may go on. */
public enum RunState {
  /** Accepted; its tasks are not created yet. */
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
