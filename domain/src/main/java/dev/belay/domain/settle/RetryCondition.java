package dev.belay.domain.settle;

import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Template;
import java.util.Locale;

/**
 * Evaluates {@code retry.if}. Implemented outside, so the domain stays pure. A decision is made
 * under the lock of its task, so an evaluation must cost next to nothing.
 */
@FunctionalInterface
public interface RetryCondition {

  /** Knows no expressions: nothing has a value. */
  RetryCondition NONE =
      (condition, failure) -> {
        throw new ExpressionFailed("there are no expressions here");
      };

  /**
   * @throws ExpressionFailed when the condition has no value of true or false
   */
  boolean holds(Template condition, Failure failure) throws ExpressionFailed;

  /**
   * The values that the condition can read.
   *
   * @param exitCode {@link #NO_EXIT_CODE} when no process ended by itself
   * @param attempt the number of the attempt that failed, 1 for the first
   */
  record Failure(int exitCode, String reason, int attempt, Category category) {
    public static final int NO_EXIT_CODE = -1;

    public String categoryWord() {
      return category.name().toLowerCase(Locale.ROOT);
    }
  }
}
