package dev.belay.domain.routing;

import java.time.Duration;

/**
 * @param lastChoiceShare a worker of which so many slots are taken is a last choice
 * @param overloadedPercent of cpu or gpu
 * @param avoidOverloaded an overloaded worker gets nothing while another one has room
 * @param reservationKept how long a worker is kept for a wide task that is not asked for again
 * @param refusedFor how long a worker that cannot start anything is not asked
 */
public record RoutingSettings(
    double lastChoiceShare,
    double overloadedPercent,
    boolean avoidOverloaded,
    Duration reservationKept,
    Duration refusedFor) {

  public static final RoutingSettings DEFAULT =
      new RoutingSettings(0.9, 90, true, Duration.ofSeconds(5), Duration.ofSeconds(10));

  public RoutingSettings {
    if (lastChoiceShare <= 0
        || overloadedPercent <= 0
        || !reservationKept.isPositive()
        || !refusedFor.isPositive()) {
      throw new IllegalArgumentException("shares, percentages and durations must be positive");
    }
  }
}
