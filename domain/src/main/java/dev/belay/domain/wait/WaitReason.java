package dev.belay.domain.wait;

import java.util.Locale;

/** What a task or run waits for. */
public enum WaitReason {
  PAUSED,
  /** Its workflow already has {@code max_active} RUNNING runs. */
  MAX_ACTIVE,
  /** Some of its dependencies have not ended. */
  DEPENDENCIES,
  /** The delay before a retry is not over. */
  RETRY,
  /** The time of a delayed task, or the end of a wait task, has not come. */
  TIME,
  /** A lost attempt of a strict task may still run. */
  LEASE_HELD,
  /** No server leads, so nothing starts. */
  NO_LEADER,
  /** No connected worker accepts work. */
  NO_WORKER,
  /** No connected worker of its pool accepts work. */
  NO_WORKER_OF_POOL,
  /** Every slot of its pool is taken. */
  SLOTS_BUSY,
  /** A person must decide. */
  PERSON,
  /** An event. */
  EVENT,
  /** Nothing blocks it; the scheduler acts next. */
  SCHEDULER;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
