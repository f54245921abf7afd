package dev.belay.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Sizes;

/** The JSON Schema of {@code belay.yaml}, for editors; the same on every machine. */
public final class Schema {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Schema() {}

  public static String json() {
    var root = JSON.createObjectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "belay.yaml");
    root.put("description", "Settings of Belay, described in docs/settings.md");
    root.put("type", "object");
    root.put("additionalProperties", false);
    var properties = root.putObject("properties");
    Catalog.all().forEach(setting -> describe(properties.putObject(setting.name()), setting));
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void describe(ObjectNode node, Setting<?> setting) {
    String bounds = setting.bounds().isEmpty() ? "" : " (" + setting.bounds() + ")";
    node.put("description", setting.meaning() + bounds);
    switch (setting.type().word()) {
      case "duration" -> node.put("type", "string").put("pattern", "^" + Durations.PATTERN + "$");
      case "bytes" -> node.put("type", "string").put("pattern", "^(" + Sizes.PATTERN + ")$");
      // YAML reads it as a number.
      case "processors" -> node.put("type", "number").put("exclusiveMinimum", 0);
      case "count" -> limits(node.put("type", "integer"), setting);
      case "share" -> limits(node.put("type", "number"), setting);
      case "boolean" -> node.put("type", "boolean");
      case String word when word.startsWith("list of ") -> {
        node.putArray("type").add("array").add("string");
        node.putObject("items").put("type", "string");
      }
      default -> node.put("type", "string");
    }
  }

  private static void limits(ObjectNode node, Setting<?> setting) {
    setting.min().ifPresent(min -> node.set("minimum", JSON.valueToTree(min)));
    setting.max().ifPresent(max -> node.set("maximum", JSON.valueToTree(max)));
  }
}
