package dev.belay.domain.routing;

import java.time.Duration;

/**
 * @param lastChoiceShare a worker of which so many slots are taken is a last choice
 * @param overloadedPercent of cpu or gpu
 * @param avoidOverloaded an overloaded worker gets nothing while another one has room
 * @param reservationKept how long a worker is kept for a wide task that is not asked for again
 */
public record RoutingSettings(
    double lastChoiceShare,
    double overloadedPercent,
    boolean avoidOverloaded,
    Duration reservationKept) {

  public static final RoutingSettings DEFAULT =
      new RoutingSettings(0.9, 90, true, Duration.ofSeconds(5));

  public RoutingSettings {
    if (lastChoiceShare <= 0 || overloadedPercent <= 0 || !reservationKept.isPositive()) {
      throw new IllegalArgumentException("shares, percentages and durations must be positive");
    }
  }
}
