package dev.belay.domain.schedule;

import java.time.Duration;

/**
 * What happens to instants that could not be decided in time.
 *
 * @param after an instant that is decided later than this was missed
 * @param max FIRE_ALL fires at most this many, the newest
 * @param age FIRE_ONCE and FIRE_ALL leave out instants that are older than this
 */
public record Missed(Policy policy, Duration after, int max, Duration age) {

  public static final Missed DEFAULT =
      new Missed(Policy.FIRE_ONCE, Duration.ofMinutes(1), 100, Duration.ofDays(7));
  public static final int MAX_MAX = 10_000;

  public enum Policy {
    SKIP,
    /** The newest due instant fires for all of them. */
    FIRE_ONCE,
    FIRE_ALL
  }
}
