package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds text that PostgreSQL does not keep: NUL, and half of a character. */
final class Storable {

  private static final String MESSAGE = "must not contain NUL or half a character";

  private Storable() {}

  static List<Map<String, Object>> faults(JsonNode node, String field) {
    var faults = new ArrayList<Map<String, Object>>();
    collect(node, field, faults);
    return faults;
  }

  /** Whether JSON that we made ourselves can be stored. */
  static boolean isStorableJson(String json) {
    return faults(JsonText.tree(json), "").isEmpty();
  }

  private static void collect(JsonNode node, String field, List<Map<String, Object>> faults) {
    if (node.isTextual() && !isStorable(node.textValue())) {
      faults.add(Problem.fault(field, MESSAGE));
    }
    node.properties()
        .forEach(
            entry -> {
              if (!isStorable(entry.getKey())) {
                faults.add(Problem.fault(field, "has a name that " + MESSAGE));
              }
              collect(entry.getValue(), Submit.dotted(field, entry.getKey()), faults);
            });
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        collect(node.get(i), field + "[" + i + "]", faults);
      }
    }
  }

  private static boolean isStorable(String text) {
    return text.codePoints().noneMatch(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF));
  }
}
