package dev.belay.workflow;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters and labels as JSON text. Integers are {@code Long}, others {@code Double}. */
public final class JsonValues {

  private JsonValues() {}

  public static String write(Map<String, ?> values) {
    return Json.write(values);
  }

  /** For text written by this class; any other text is a bug. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> readObject(String text) {
    try {
      if (Json.read(text) instanceof Map<?, ?> values) {
        return (Map<String, Object>) values;
      }
      throw new IllegalArgumentException("a JSON object was expected: " + text);
    } catch (IOException notJson) {
      throw new IllegalArgumentException("not JSON: " + notJson.getMessage(), notJson);
    }
  }

  /** Whether PostgreSQL can store this JSON: no text in it has NUL or half a character. */
  public static boolean isStorable(String json) {
    return isStorable((Object) readObject(json));
  }

  private static boolean isStorable(@Nullable Object value) {
    return switch (value) {
      case String text -> isWhole(text);
      case List<?> items -> items.stream().allMatch(item -> isStorable((Object) item));
      case Map<?, ?> fields ->
          fields.entrySet().stream()
              .allMatch(
                  field -> isStorable(field.getKey()) && isStorable((Object) field.getValue()));
      case null, default -> true;
    };
  }

  private static boolean isWhole(String text) {
    return text.indexOf(0) < 0
        && text.codePoints()
            .noneMatch(
                point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }
}
