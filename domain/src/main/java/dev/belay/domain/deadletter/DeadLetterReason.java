package dev.belay.domain.deadletter;

import java.util.Locale;
import java.util.Optional;

/** Why a task became a dead letter. */
public enum DeadLetterReason {
  /** No pool runs the topic of the task, or nothing in its pools has what it requires. */
  NO_POOL_MAPPING,
  /** No worker of its pools has ever joined. */
  NO_WORKERS,
  /** Workers took the task again and again, and none of them could start a process. */
  DISPATCH_FAILED,
  /** The task has failed. Only with the setting {@code dead-letter-failed}. */
  FAILED;

  /** A task that was never dispatched ends for it, because nothing can run it. */
  public boolean isUnplaceable() {
    return this == NO_POOL_MAPPING || this == NO_WORKERS;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeadLetterReason> of(String word) {
    for (DeadLetterReason reason : values()) {
      if (reason.word().equals(word)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
