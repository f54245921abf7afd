package dev.belay.domain.spec;

import java.util.Map;

/**
 * Evaluates the {@code ${{ }}} parts of templates. Implemented outside, so that the domain stays
 * pure.
 */
public interface Expressions {

  /** The value of a template; one that is a single expression keeps its type, else it is text. */
  Object evaluate(Template template, Scope scope) throws ExpressionFailed;

  /**
   * What expressions can see.
   *
   * @param params values by name
   * @param run facts of the run: id, workflow, logical_date, ...
   */
  record Scope(Map<String, Object> params, Map<String, Object> run) {}

  /** An expression had no value; the message says why, for a person. */
  final class ExpressionFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public ExpressionFailed(String message) {
      super(message);
    }
  }
}
