package dev.belay.store.recovery;

import java.time.Instant;

/** Something that a person should look at. */
public record Alert(long id, String kind, String detail, Instant at) {

  /** A recovery took longer than promised. */
  public static final String RECOVERY_LATE = "recovery_late";

  /** A worker hung up, or fell silent, and is given up. */
  public static final String WORKER_LOST = "worker_lost";
}
