package dev.belay.domain.spec;

import java.util.Map;

/**
 * Evaluates the {@code ${{ }}} parts of templates. Implemented outside, so that the domain stays
 * pure.
 */
public interface Expressions {

  /**
   * Evaluations over one scope, with one budget for all of them together. Used by one thread at a
   * time.
   */
  Evaluation over(Scope scope);

  /** One scope and what is left of its budget. */
  interface Evaluation {

    /** The value of a template; one that is a single expression keeps its type, else it is text. */
    Object evaluate(Template template) throws ExpressionFailed;

    /**
     * The value of a template as text: lists and maps as JSON. Equal templates share one text, and
     * each use counts. This default is for values that need no JSON.
     */
    default String text(Template template) throws ExpressionFailed {
      return String.valueOf(evaluate(template));
    }
  }

  /**
   * What expressions can see.
   *
   * @param params values by name
   * @param run facts of the run: id, workflow, logical_date, ...
   */
  record Scope(Map<String, Object> params, Map<String, Object> run) {}

  /** An expression had no value; the message says why, for a person. */
  sealed class ExpressionFailed extends Exception permits TooCostly {
    private static final long serialVersionUID = 1L;

    public ExpressionFailed(String message) {
      super(message);
    }
  }

  /** It would have had one, but not within its budget of steps, time or size. */
  final class TooCostly extends ExpressionFailed {
    private static final long serialVersionUID = 1L;

    public TooCostly(String message) {
      super(message);
    }
  }
}
