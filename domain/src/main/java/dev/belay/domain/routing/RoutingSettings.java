package dev.belay.domain.routing;

import java.time.Duration;

/**
 * @param lastChoiceShare a worker of which so many slots are taken is a last choice
 * @param overloadedShare of cpu or gpu
 * @param avoidOverloaded an overloaded worker gets nothing while another one has room
 * @param reservationKept how long a worker is kept for a wide task that is not asked for again
 * @param refusedFor how long a worker that cannot start anything is not asked
 */
public record RoutingSettings(
    double lastChoiceShare,
    double overloadedShare,
    boolean avoidOverloaded,
    Duration reservationKept,
    Duration refusedFor) {

  public static final RoutingSettings DEFAULT =
      new RoutingSettings(0.9, 0.9, true, Duration.ofSeconds(5), Duration.ofSeconds(10));

  public RoutingSettings {
    if (lastChoiceShare <= 0
        || overloadedShare <= 0
        || !reservationKept.isPositive()
        || !refusedFor.isPositive()) {
      throw new IllegalArgumentException("shares and durations must be positive");
    }
  }
}
