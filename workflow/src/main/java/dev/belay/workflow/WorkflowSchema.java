package dev.belay.workflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schemas of the files, with which editors complete and check them. */
public final class WorkflowSchema {

  private WorkflowSchema() {}

  /** Draft 2020-12, generated from the table that the reader uses. */
  public static String json() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Belay workflow file");
    schema.putAll(of(Keys.FILE));
    schema.put("oneOf", List.of(required("tasks", "name"), required("task")));
    return Json.writePretty(schema);
  }

  /** The same for the system file. */
  public static String systemJson() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Belay system file");
    schema.putAll(of(Keys.SYSTEM));
    return Json.writePretty(schema);
  }

  private static Map<String, Object> required(String... names) {
    return Map.of("required", List.of(names));
  }

  private static Map<String, Object> of(Shape shape) {
    return switch (shape) {
      case Shape.Text text -> text(text);
      case Shape.Word word -> map("enum", word.words());
      case Shape.Whole whole ->
          map("type", "integer", "minimum", whole.min(), "maximum", whole.max());
      case Shape.Decimal number ->
          map("type", "number", "minimum", number.min(), "maximum", number.max());
      case Shape.Flag flag -> map("type", "boolean");
      case Shape.Span span ->
          map("type", "string", "pattern", "^" + Durations.PATTERN.replace("(?=[0-9])", "") + "$");
      case Shape.Bytes bytes -> map("type", "string", "pattern", "^(" + Sizes.PATTERN + ")$");
      case Shape.Time time -> map("type", "string", "format", "date-time");
      case Shape.Zone zone -> map("type", "string", "maxLength", Zones.CHARS_MAX);
      case Shape.DailyTime time ->
          map("type", "string", "pattern", "^[0-2][0-9]:[0-5][0-9](:[0-5][0-9])?( +\\S{1,100})?$");
      case Shape.ShortOrLong either -> map("anyOf", List.of(of(either.brief()), of(either.full())));
      case Shape.Items items ->
          map(
              "type", "array",
              "items", of(items.item()),
              "minItems", items.min(),
              "maxItems", items.max());
      case Shape.Entries entries ->
          map(
              "type", "object",
              "propertyNames", map("pattern", anchored(entries.keys())),
              "additionalProperties", of(entries.value()),
              "maxProperties", entries.max());
      case Shape.Fields fields -> fields(fields);
      case Shape.AnyJson any -> map();
      case Shape.OrLater later -> of(later.now());
    };
  }

  private static Map<String, Object> text(Shape.Text text) {
    Map<String, Object> schema =
        map("type", List.of("string", "number", "boolean"), "maxLength", text.charsMax());
    switch (text.rule()) {
      case FREE, TEMPLATE -> {}
      case NAME, PARAM_NAME, ENV_NAME, LABEL_NAME, TOPIC, CAPABILITY, EXIT_CODE ->
          schema.put("pattern", anchored(text.rule()));
    }
    return schema;
  }

  private static String anchored(Shape.Rule rule) {
    return "^(" + rule.pattern.pattern() + ")$";
  }

  private static Map<String, Object> fields(Shape.Fields fields) {
    Map<String, Object> properties = new LinkedHashMap<>();
    fields.keys().forEach((name, key) -> properties.put(name, key(key)));
    List<String> required =
        fields.keys().values().stream()
            .filter(key -> key.status() == FileKey.Status.REQUIRED)
            .map(FileKey::name)
            .toList();
    Map<String, Object> schema =
        map(
            "type",
            "object",
            "properties",
            properties,
            "patternProperties",
            map("^x-", map()),
            "additionalProperties",
            false);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    if (fields.equals(TriggerKeys.TRIGGER)) {
      schema.put("oneOf", TriggerKeys.Kind.words().stream().map(WorkflowSchema::required).toList());
    }
    return schema;
  }

  private static Map<String, Object> key(FileKey key) {
    return switch (key.status()) {
      case OPTIONAL, REQUIRED -> {
        Map<String, Object> schema = map("description", key.about());
        schema.putAll(of(key.shape()));
        yield schema;
      }
      case RESERVED ->
          map("description", "Reserved, not supported yet. " + key.about(), "not", map());
      case TASK_ONLY -> map("description", "Cannot be a default. " + key.about(), "not", map());
      case SUBMIT_ONLY ->
          map("description", "Only for submitted tasks. " + key.about(), "not", map());
      case WORKFLOW_ONLY -> throw new IllegalStateException("a file may hold " + key.name());
    };
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
