package dev.belay.workflow;

import java.time.Duration;

/**
 * Limits the cost of evaluating expressions. Cost is counted in steps: one for each part of an
 * expression that gets a value, plus the size of that value. A function whose time can exceed the
 * length of its arguments, such as {@code matches}, is charged before it runs. So the same
 * expression over the same values always costs the same. The time is a second limit, for work that
 * the count misses.
 *
 * @param one of a single expression
 * @param all of all expressions over one scope: those that a run evaluates together
 * @param allChars characters of all values over one scope together
 */
public record ExpressionLimits(Bound one, Bound all, long allChars) {

  /**
   * @param steps cost
   * @param time of CPU
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
