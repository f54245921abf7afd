package dev.belay.store.recovery;

import java.time.Instant;

/** Something that a person should look at. */
public record Alert(long id, String kind, String detail, Instant at) {

  /** A recovery took longer than promised. */
  public static final String RECOVERY_LATE = "recovery_late";

  /** Somebody said hello as a worker without its key. */
  public static final String WORKER_KEY_REFUSED = "worker_key_refused";
}
