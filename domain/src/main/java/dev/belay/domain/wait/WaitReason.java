package dev.belay.domain.wait;

import java.util.Locale;

/** What a task or run waits for. */
public enum WaitReason {
  /** Its workflow is paused. */
  PAUSED,
  /** As many runs of its workflow are RUNNING as may be. */
  MAX_ACTIVE,
  /** Tasks that it depends on are not over. */
  DEPENDENCIES,
  /** The pause before a retry is not over. */
  RETRY,
  /** A lost attempt of a strict task may still run. */
  LEASE_HELD,
  /** No server leads, so nobody starts anything. */
  NO_LEADER,
  /** No worker is connected that takes work. */
  NO_WORKER,
  /** Workers are connected, but none of its pool takes work. */
  NO_WORKER_OF_POOL,
  /** Every slot of its pool is taken. */
  SLOTS_BUSY,
  /** The word of a person. */
  PERSON,
  /** A time or an event. */
  EVENT,
  /** Nothing is in its way: the scheduler has its turn. */
  SCHEDULER;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
