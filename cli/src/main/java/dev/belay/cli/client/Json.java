package dev.belay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON as trees; binding to classes would slow every command's start. */
public final class Json {

  private static final JsonMapper MAPPER = new JsonMapper();

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static JsonNode parse(byte[] bytes) throws java.io.IOException {
    JsonNode node = MAPPER.readTree(bytes);
    return node == null ? MAPPER.missingNode() : node;
  }

  public static String pretty(JsonNode node) {
    return node.toPrettyString();
  }

  /** The text of a field; empty when it is missing or null. */
  public static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNull() ? "" : value.asText();
  }

  /** The time of a field; null when it is missing or null. */
  public static @Nullable Instant time(JsonNode node, String field) {
    String text = text(node, field);
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
