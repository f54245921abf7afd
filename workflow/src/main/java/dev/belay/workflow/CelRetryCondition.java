package dev.belay.workflow;

import dev.belay.domain.settle.RetryCondition;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Template;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Evaluates {@code retry.if} with CEL. The writer of results evaluates under the lock of the task,
 * so the budget is a small part of that of other expressions, and the text is short. Any thread may
 * use it.
 */
public final class CelRetryCondition implements RetryCondition {

  /**
   * Ample for four small values: an ordinary condition takes about ten steps and a few
   * microseconds. All of them take about 1 ms.
   */
  static final long STEPS_MAX = 2_000;

  private static final Duration TIME_MAX = Duration.ofMillis(100);
  private static final ExpressionLimits.Bound BOUND =
      new ExpressionLimits.Bound(STEPS_MAX, TIME_MAX);
  private static final ExpressionLimits LIMITS = new ExpressionLimits(BOUND, BOUND, STEPS_MAX);

  private final CelExpressions expressions;

  /**
   * @param ticker CPU nanoseconds of the calling thread
   */
  public CelRetryCondition(LongSupplier ticker) {
    this.expressions = new CelExpressions(LIMITS, ticker);
  }

  @Override
  public boolean holds(Template condition, Failure failure) throws ExpressionFailed {
    Object value =
        expressions
            .over(
                Map.of(
                    Cel.EXIT_CODE,
                    (long) failure.exitCode(),
                    Cel.REASON,
                    failure.reason(),
                    Cel.ATTEMPT,
                    (long) failure.attempt(),
                    Cel.CATEGORY,
                    failure.categoryWord()))
            .evaluate(condition);
    if (value instanceof Boolean holds) {
      return holds;
    }
    throw new ExpressionFailed("it is neither true nor false: " + ShapeReader.quoted("" + value));
  }
}
