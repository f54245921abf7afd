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
  /** No pool runs its topic, or none has the required capabilities. */
  NO_POOL_MAPPING,
  /** No worker that may run it takes work. */
  NO_WORKERS,
  /** Workers that may run it take work, but none has room. */
  POOL_OVERLOADED,
  /** Its pool is draining or inactive. */
  POOL_INACTIVE,
  /** The tasks of its pool hold as many slots as they may. */
  POOL_SLOTS,
  /** Its tenant holds as many places as it may. */
  TENANT_LIMIT,
  /** Its workflow holds as many places as it may. */
  MAX_TASKS,
  /** Its concurrency key holds as many places as it may. */
  CONCURRENCY,
  /** The rate limit of its key has no token left. */
  RATE_LIMIT,
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
