package dev.belay.domain.spec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a run.
 *
 * @param defaultValue a plain value or a {@link Template}; null means that the run must supply one
 * @param values the allowed values of an enum, else empty
 */
public record ParamSpec(Type type, @Nullable Object defaultValue, List<String> values) {

  public ParamSpec {
    values = List.copyOf(values);
  }

  public enum Type {
    STRING,
    INT,
    FLOAT,
    BOOL,
    DATE,
    DATETIME,
    ENUM,
    JSON
  }
}
