package dev.belay.engine.trigger;

import java.util.Map;
import java.util.function.Function;

/** The parameters that a trigger gives to a run, or why it has none. */
sealed interface Given {

  record Values(Map<String, Object> params) implements Given {}

  record Refused(String why) implements Given {}

  default <T> T map(Function<Map<String, Object>, T> values, Function<String, T> refused) {
    return switch (this) {
      case Values(var params) -> values.apply(params);
      case Refused(var why) -> refused.apply(why);
    };
  }
}
