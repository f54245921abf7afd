package dev.belay.workflow;

import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a document that matches its shape. Other parts are reported and left out. */
sealed interface Value {

  /** The node of this value. */
  Node node();

  record Text(Node.Scalar node) implements Value {
    String text() {
      return node.text();
    }
  }

  /** A number, a Boolean, a Duration, an Instant, a ZoneId or a time of the day. */
  record Plain(Node node, Object value) implements Value {}

  /** Any JSON; the node holds everything. */
  record Any(Node node) implements Value {}

  record Items(Node node, List<Value> items) implements Value {
    /** For items whose shape is text. */
    @SuppressWarnings("unchecked")
    List<Text> texts() {
      return (List<Text>) (List<?>) items;
    }
  }

  /**
   * A mapping, of known or free keys.
   *
   * @param written every key in the document, even those whose values are missing here
   */
  record Fields(Node node, Map<String, Place> written, Map<String, Value> values) implements Value {

    boolean has(String key) {
      return written.containsKey(key);
    }

    /** The place of a key; that of the mapping, if the key is not written. */
    Place keyAt(String key) {
      return written.getOrDefault(key, node.at());
    }

    <T extends Value> @Nullable T find(String key, Class<T> type) {
      return type.cast(values.get(key));
    }

    @Nullable String text(String key) {
      return orNull(key);
    }

    <T> T or(String key, T otherwise) {
      T given = orNull(key);
      return given == null ? otherwise : given;
    }

    /** The text or the plain value of a key; its shape determines the type. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <T> @Nullable T orNull(String key) {
      return switch (values.get(key)) {
        case null -> null;
        case Text text -> (T) text.text();
        case Plain plain -> (T) plain.value();
        case Any _, Items _, Fields _ -> throw new IllegalStateException(key);
      };
    }

    /** These values on top of those of {@code base}; mappings are merged. */
    Fields over(Fields base) {
      Map<String, Place> keys = new LinkedHashMap<>(base.written);
      keys.putAll(written);
      Map<String, Value> joined = new LinkedHashMap<>(base.values);
      values.forEach(
          (key, value) ->
              joined.merge(
                  key,
                  value,
                  (below, above) ->
                      below instanceof Fields lower && above instanceof Fields upper
                          ? upper.over(lower)
                          : above));
      return new Fields(node, keys, joined);
    }
  }
}
