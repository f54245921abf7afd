package dev.belay.store.leader;

import java.time.Duration;

/**
 * The time limits of an election.
 *
 * @param query the limit of each query on the leader's connection, even when PostgreSQL hangs
 * @param epochLockWait how long a new leader waits for the old one before it ends its sessions
 * @param idle the database ends the session of a leader that is silent for longer and frees its
 *     lock
 */
public record ElectionSettings(Duration query, Duration epochLockWait, Duration idle) {

  public static final ElectionSettings DEFAULT =
      new ElectionSettings(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(10));

  public ElectionSettings {
    if (!epochLockWait.isPositive() || epochLockWait.compareTo(query) >= 0) {
      throw new IllegalArgumentException(
          "epochLockWait (%s) must be positive and below query (%s)"
              .formatted(epochLockWait, query));
    }
    if (query.compareTo(idle) >= 0) {
      throw new IllegalArgumentException(
          "query (%s) must be below idle (%s)".formatted(query, idle));
    }
  }
}
