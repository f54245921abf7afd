package dev.belay.engine.leader;

import java.time.Duration;

/**
 * How leadership is held and how long its work may take.
 *
 * @param tick longest pause between two ticks
 * @param renew how often the leader proves that it leads
 * @param campaign how often a follower tries to lead
 * @param trust a leader does not tick when it requested its last proof longer ago than this
 * @param phaseBudget a phase with more work yields to the next one after this time
 * @param tickBudget no round starts after this time, so that a tick ends
 */
public record LeaderSettings(
    Duration tick,
    Duration renew,
    Duration campaign,
    Duration trust,
    Duration phaseBudget,
    Duration tickBudget) {

  public static final LeaderSettings DEFAULT =
      new LeaderSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofMillis(500),
          Duration.ofSeconds(8),
          Duration.ofMillis(200),
          Duration.ofSeconds(2));

  public LeaderSettings {
    requirePositive("tick", tick);
    requirePositive("campaign", campaign);
    requirePositive("phaseBudget", phaseBudget);
    requireBelow("renew", renew, "trust", trust);
    requireBelow("phaseBudget", phaseBudget, "tickBudget", tickBudget);
  }

  private static void requirePositive(String name, Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, not " + duration);
    }
  }

  private static void requireBelow(String name, Duration less, String other, Duration more) {
    requirePositive(name, less);
    if (less.compareTo(more) >= 0) {
      throw new IllegalArgumentException(
          "%s (%s) must be below %s (%s)".formatted(name, less, other, more));
    }
  }
}
