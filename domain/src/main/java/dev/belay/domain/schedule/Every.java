package dev.belay.domain.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The anchor, and each whole number of periods before and after it. Zones do not matter. */
public record Every(Duration period, Instant anchor) implements Recurrence {

  public static final Duration PERIOD_MIN = Duration.ofSeconds(1);
  public static final Duration PERIOD_MAX = Duration.ofDays(3_660);
  public static final Instant ANCHOR_DEFAULT = Instant.EPOCH;

  public Every {
    period = period.truncatedTo(ChronoUnit.MICROS);
    anchor = anchor.truncatedTo(ChronoUnit.MICROS);
    if (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException("a period of " + period);
    }
  }

  /** The first instant after this one, which must be a period away from the ends of time. */
  Instant next(Instant after) {
    Duration passed = Duration.between(anchor, after);
    if (passed.isNegative()) {
      // the largest number of whole periods that is shorter than the way to the anchor
      long periods = passed.negated().minusNanos(1).dividedBy(period);
      return anchor.minus(period.multipliedBy(periods));
    }
    return anchor.plus(period.multipliedBy(passed.dividedBy(period) + 1));
  }
}
