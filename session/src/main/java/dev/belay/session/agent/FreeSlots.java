package dev.belay.session.agent;

import java.time.Duration;

/**
 * How many more tasks the worker offers to take. After the machine had no room for a process, the
 * worker offers nothing for a while, then one slot: if that process starts, all free slots count
 * again; otherwise the worker offers nothing for twice as long.
 */
final class FreeSlots {

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  private Duration pause = FIRST_PAUSE;

  /** No process has started since a pause. */
  private boolean tight;

  private long refusedNanos;

  /**
   * The machine had no room for a process.
   *
   * @return whether a pause begins; a refusal during a pause is of work that came before it
   */
  boolean noRoom(long nowNanos) {
    if (isPaused(nowNanos)) {
      return false;
    }
    pause = tight ? longer(pause) : FIRST_PAUSE;
    tight = true;
    refusedNanos = nowNanos;
    return true;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }

  /** A process started. */
  void room(long nowNanos) {
    if (!isPaused(nowNanos)) {
      tight = false;
    }
  }

  /**
   * @param free slots without a task
   */
  int offered(int free, long nowNanos) {
    if (!tight) {
      return free;
    }
    return isPaused(nowNanos) ? 0 : Math.min(1, free);
  }

  private boolean isPaused(long nowNanos) {
    return tight && nowNanos - refusedNanos < pause.toNanos();
  }
}
