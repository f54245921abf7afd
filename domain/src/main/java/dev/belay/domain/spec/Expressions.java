package dev.belay.domain.spec;

import java.util.Map;

/**
 * Evaluates the {@code ${{ }}} parts of templates. Implemented outside, so the domain stays pure.
 */
public interface Expressions {

  /** Starts an evaluation with one budget for all its templates. For one thread at a time. */
  Evaluation over(Scope scope);

  /** One scope and the rest of its budget. */
  interface Evaluation {

    /** The value of a template; a single expression keeps its type, anything else is text. */
    Object evaluate(Template template) throws ExpressionFailed;

    /**
     * The value of a template as text: lists and maps as JSON. Equal templates share one text, and
     * each use counts against the budget. This default is for values that need no JSON.
     */
    default String text(Template template) throws ExpressionFailed {
      return String.valueOf(evaluate(template));
    }
  }

  /**
   * The values that expressions can read.
   *
   * @param params values by name
   * @param run facts of the run: id, workflow, logical_date, ...
   */
  record Scope(Map<String, Object> params, Map<String, Object> run) {}

  /** An expression has no value; the message explains why to a person. */
  sealed class ExpressionFailed extends Exception permits TooCostly {
    private static final long serialVersionUID = 1L;

    public ExpressionFailed(String message) {
      super(message);
    }
  }

  /** The expression exceeded its budget of steps, time or size. */
  final class TooCostly extends ExpressionFailed {
    private static final long serialVersionUID = 1L;

    public TooCostly(String message) {
      super(message);
    }
  }
}
