package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds text that PostgreSQL does not keep: NUL, and half of a character. */
final class Storable {

  /** Whoever sends more has seen enough. */
  static final int FAULTS_MAX = 100;

  private static final int FIELD_CHARS_MAX = 300;
  private static final String MESSAGE = "must not contain NUL or half a character";

  private Storable() {}

  /** At most {@link #FAULTS_MAX}. */
  static List<Map<String, Object>> faults(JsonNode node, String field) {
    var faults = new ArrayList<Map<String, Object>>();
    collect(node, new Place(null, field), faults);
    return faults;
  }

  /** Whether JSON that we made ourselves can be stored. */
  static boolean isStorableJson(String json) {
    return faults(JsonText.tree(json), "").isEmpty();
  }

  /** The beginning of a field's name, as long as people read. */
  static String shortened(String field) {
    return field.length() <= FIELD_CHARS_MAX ? field : field.substring(0, FIELD_CHARS_MAX) + "…";
  }

  private static void collect(JsonNode node, Place place, List<Map<String, Object>> faults) {
    if (node.isTextual() && !isStorable(node.textValue())) {
      add(faults, place, MESSAGE);
    }
    for (var entry : node.properties()) {
      if (faults.size() == FAULTS_MAX) {
        return;
      }
      if (!isStorable(entry.getKey())) {
        add(faults, place, "has a name that " + MESSAGE);
      }
      collect(entry.getValue(), new Place(place, entry.getKey()), faults);
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size() && faults.size() < FAULTS_MAX; i++) {
        collect(node.get(i), new Place(place, "[" + i + "]"), faults);
      }
    }
  }

  private static void add(List<Map<String, Object>> faults, Place place, String message) {
    if (faults.size() < FAULTS_MAX) {
      faults.add(Problem.fault(place.text(), message));
    }
  }

  private static boolean isStorable(String text) {
    return text.codePoints().noneMatch(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF));
  }

  /** Where a value stands. Written out for a fault only: names may be long, and values many. */
  private record Place(@Nullable Place parent, String part) {
    String text() {
      var before = parent == null ? "" : parent.text();
      if (before.length() > FIELD_CHARS_MAX) {
        return before;
      }
      return shortened(part.startsWith("[") ? before + part : Submit.dotted(before, part));
    }
  }
}
