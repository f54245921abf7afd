package dev.belay.workflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A JSON object that Belay wrote itself; throws IllegalArgumentException for any other. */
record JsonFields(Map<?, ?> fields) {

  static JsonFields of(@Nullable Object value) {
    return new JsonFields(cast(value, Map.class, "an object"));
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  @Nullable Object value(String name) {
    return fields.get(name);
  }

  String text(String name) {
    return cast(fields.get(name), String.class, name);
  }

  @Nullable String textOrNull(String name) {
    return has(name) ? text(name) : null;
  }

  String textOr(String name, String otherwise) {
    return has(name) ? text(name) : otherwise;
  }

  int whole(String name) {
    return Math.toIntExact(cast(fields.get(name), Long.class, name));
  }

  int wholeOr(String name, int otherwise) {
    return has(name) ? whole(name) : otherwise;
  }

  long longOr(String name, long otherwise) {
    return has(name) ? cast(fields.get(name), Long.class, name) : otherwise;
  }

  double decimal(String name) {
    return cast(fields.get(name), Number.class, name).doubleValue();
  }

  boolean flag(String name) {
    return cast(fields.get(name), Boolean.class, name);
  }

  List<?> list(String name) {
    return has(name) ? cast(fields.get(name), List.class, name) : List.of();
  }

  List<String> texts(String name) {
    return list(name).stream().map(item -> cast(item, String.class, name)).toList();
  }

  JsonFields fields(String name) {
    return has(name) ? of(fields.get(name)) : new JsonFields(Map.of());
  }

  void each(BiConsumer<String, @Nullable Object> visitor) {
    fields.forEach((name, value) -> visitor.accept(cast(name, String.class, "a name"), value));
  }

  Map<String, String> textMap(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    fields(name).each((key, value) -> texts.put(key, cast(value, String.class, name)));
    return texts;
  }

  private static <T> T cast(@Nullable Object value, Class<T> type, String name) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException("not a stored spec: " + name);
    }
    return type.cast(value);
  }
}
