package dev.belay.store;

import java.util.UUID;

/**
 * Told after a commit that somebody may want to look at the database now. A hint only: it may be lost or
 * come twice, and implementations coalesce; a poll stands behind each of them.
 */
public interface Hints {
  /** A task became SCHEDULED. */
  void workReady();

  /** A mark was appended. */
  void runChanged();

  /** A dispatch of this worker has something to deliver. */
  void mailbox(UUID workerId);
}
