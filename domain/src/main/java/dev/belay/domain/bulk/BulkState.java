package dev.belay.domain.bulk;

/** The states of a bulk operation. */
public enum BulkState {
  /** It changes one item after the other. */
  RUNNING,
  /** It has dealt with every item. */
  DONE,
  /** A person stopped it. It changes nothing any more. */
  CANCELLED,
  /** It could not continue. It changes nothing any more. */
  FAILED;

  public boolean isTerminal() {
    return switch (this) {
      case RUNNING -> false;
      case DONE, CANCELLED, FAILED -> true;
    };
  }
}
