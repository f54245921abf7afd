package dev.belay.workflow;

import dev.belay.workflow.yaml.Position;
import dev.belay.workflow.yaml.YamlNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of the file that has its shape. Parts that had not are missing: they are reported. */
sealed interface Value {

  /** Where it stands. */
  YamlNode node();

  record Text(YamlNode.Scalar node, String text) implements Value {}

  record Whole(YamlNode.Scalar node, int number) implements Value {}

  record Decimal(YamlNode.Scalar node, double number) implements Value {}

  record Flag(YamlNode.Scalar node, boolean set) implements Value {}

  record Span(YamlNode.Scalar node, Duration duration) implements Value {}

  /** Any JSON; the node says it all. */
  record Any(YamlNode node) implements Value {}

  record Items(YamlNode node, List<Value> items) implements Value {
    List<Text> texts() {
      return items.stream().map(Text.class::cast).toList();
    }
  }

  /**
   * A mapping, of known or free keys.
   *
   * @param written every key that stands in the file, also those whose values are missing here
   */
  record Fields(YamlNode node, Map<String, YamlNode.Scalar> written, Map<String, Value> values)
      implements Value {

    boolean has(String key) {
      return written.containsKey(key);
    }

    /** Where a key stands; where the mapping stands, if the key is not written. */
    Position keyAt(String key) {
      YamlNode.Scalar found = written.get(key);
      return found == null ? node.at() : found.at();
    }

    <T extends Value> @Nullable T find(String key, Class<T> type) {
      return type.cast(values.get(key));
    }

    @Nullable String text(String key) {
      Text found = find(key, Text.class);
      return found == null ? null : found.text();
    }

    /** These values, and where they say nothing, those of {@code base}; mappings are joined. */
    Fields over(Fields base) {
      Map<String, YamlNode.Scalar> keys = new LinkedHashMap<>(base.written);
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
