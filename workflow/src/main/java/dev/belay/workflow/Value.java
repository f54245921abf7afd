package dev.belay.workflow;

import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a document that has its shape. Parts that had not are missing: they are reported. */
sealed interface Value {

  /** Where it stands. */
  Node node();

  record Text(Node.Scalar node) implements Value {
    String text() {
      return node.text();
    }
  }

  /** An Integer, a Double, a Boolean or a Duration. */
  record Plain(Node node, Object value) implements Value {}

  /** Any JSON; the node says it all. */
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
   * @param written every key that is written, also those whose values are missing here
   */
  record Fields(Node node, Map<String, Place> written, Map<String, Value> values) implements Value {

    boolean has(String key) {
      return written.containsKey(key);
    }

    /** Where a key stands; where the mapping stands, if the key is not written. */
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

    /** The text or the plain value of a key, whose shape says which type it has. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <T> @Nullable T orNull(String key) {
      return switch (values.get(key)) {
        case null -> null;
        case Text text -> (T) text.text();
        case Plain plain -> (T) plain.value();
        case Any _, Items _, Fields _ -> throw new IllegalStateException(key);
      };
    }

    /** These values, and where they say nothing, those of {@code base}; mappings are joined. */
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
