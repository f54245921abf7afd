package dev.belay.domain.trigger;

import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Template;
import java.util.List;
import java.util.Map;

/**
 * Evaluates the expressions of triggers that wait for events. Implemented outside, so the domain
 * stays pure. From any thread that may compute; each call is bounded.
 */
public interface EventExpressions {

  /**
   * Whether the event passes the filter.
   *
   * @param data of the event, as JSON
   */
  boolean holds(Template when, String data) throws ExpressionFailed;

  /**
   * The parameters with the values of their templates.
   *
   * @param events the data of the events of a window, as JSON, the newest last
   */
  Map<String, Object> params(Map<String, Object> params, List<String> events)
      throws ExpressionFailed;
}
