package dev.belay.workflow;

import java.io.IOException;
import java.util.Map;

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
}
