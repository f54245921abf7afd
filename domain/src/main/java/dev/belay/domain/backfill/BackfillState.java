package dev.belay.domain.backfill;

/** The states of a backfill. */
public enum BackfillState {
  /** It creates runs. */
  RUNNING,
  /** A person paused it: it creates no runs; those that it created continue. */
  PAUSED,
  /** A person cancelled it, or it could not continue. It starts no run any more. */
  CANCELLED,
  /** All its instants are decided, and all its runs have ended. */
  COMPLETED;

  public boolean isTerminal() {
    return switch (this) {
      case RUNNING, PAUSED -> false;
      case CANCELLED, COMPLETED -> true;
    };
  }
}
