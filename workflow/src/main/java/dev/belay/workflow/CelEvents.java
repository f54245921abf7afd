package dev.belay.workflow;

import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Template;
import dev.belay.domain.trigger.EventExpressions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Evaluates the filters and parameters of event triggers with CEL. One event costs little, because
 * a sender decides how many there are. Any thread may use it.
 */
public final class CelEvents implements EventExpressions {

  /**
   * Each use of {@code event} counts its whole size, so this is ample for a filter over data of 64
   * KiB. What costs more fails.
   */
  static final long STEPS_MAX = 2_000_000;

  private static final Duration TIME_MAX = Duration.ofMillis(100);
  private static final ExpressionLimits.Bound BOUND =
      new ExpressionLimits.Bound(STEPS_MAX, TIME_MAX);
  private static final ExpressionLimits LIMITS = new ExpressionLimits(BOUND, BOUND, STEPS_MAX);

  private final CelExpressions expressions;

  /**
   * @param ticker CPU nanoseconds of the calling thread
   */
  public CelEvents(LongSupplier ticker) {
    this.expressions = new CelExpressions(LIMITS, ticker);
  }

  @Override
  public boolean holds(Template when, String data) throws ExpressionFailed {
    Object value =
        expressions.over(Map.of(Cel.EVENT, CelExpressions.toCel(read(data)))).evaluate(when);
    if (value instanceof Boolean holds) {
      return holds;
    }
    throw new ExpressionFailed("it is neither true nor false: " + ShapeReader.quoted("" + value));
  }

  @Override
  public Map<String, Object> params(Map<String, Object> params, List<String> events)
      throws ExpressionFailed {
    List<Object> all = new ArrayList<>();
    for (String data : events) {
      all.add(CelExpressions.toCel(read(data)));
    }
    Evaluation values = expressions.over(Map.of(Cel.EVENT, all.getLast(), Cel.EVENTS, all));
    Map<String, Object> computed = new LinkedHashMap<>();
    for (Map.Entry<String, Object> param : params.entrySet()) {
      computed.put(
          param.getKey(),
          param.getValue() instanceof Template template
              ? values.evaluate(template)
              : param.getValue());
    }
    return computed;
  }

  private static Object read(String data) throws ExpressionFailed {
    try {
      return JsonValues.readObject(data);
    } catch (IllegalArgumentException unreadable) {
      throw new ExpressionFailed("the data of the event cannot be read");
    }
  }
}
