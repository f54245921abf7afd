package dev.belay.workflow;

import java.time.Duration;

/**
 * What the evaluation of expressions may cost. Cost is counted in steps: one for each part of an
 * expression that gets a value, plus the size of that value; a function that takes longer than its
 * arguments are long, such as {@code matches}, is charged for what it will do before it does it. So
 * the same expression over the same values always costs the same; the time is a second bound, for
 * what the count does not see.
 *
 * @param one of a single expression
 * @param all of all expressions over one scope: those of a run that are evaluated together
 * @param allChars characters of all values over one scope together
 */
public record ExpressionLimits(Bound one, Bound all, long allChars) {

  /**
   * @param steps cost
   * @param time on a processor
   */
  public record Bound(long steps, Duration time) {
    public Bound {
      if (steps < 1 || !time.isPositive()) {
        throw new IllegalArgumentException(
            "steps and time must be positive: " + steps + ", " + time);
      }
    }
  }

  public static final ExpressionLimits DEFAULT =
      new ExpressionLimits(
          new Bound(10_000_000, Duration.ofSeconds(2)),
          new Bound(100_000_000, Duration.ofSeconds(10)),
          20_000_000);
}
