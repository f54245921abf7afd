package dev.belay.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.store.read.Json;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.JsonReader;
import dev.belay.workflow.tree.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** JSON of requests and answers: field names are the record components in snake_case. */
final class JsonText {

  /** Recursive walks over a tree go this deep. */
  static final int NESTING_MAX = 200;

  private static final JsonMapper MAPPER = mapper();
  private static final ObjectWriter CANONICAL =
      MAPPER.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private JsonText() {}

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("an answer that is no JSON", e);
    }
  }

  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a value that is no JSON", e);
    }
  }

  /** A value to embed in an object without parsing. */
  static RawValue raw(Json json) {
    return new RawValue(json.text());
  }

  /** A record as an object to which fields can be added. */
  static ObjectNode object(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** A request body; refuses one that is not JSON and names the position of the fault. */
  static Node.Mapping body(byte[] body, Problems problems) {
    try (var json = MAPPER.createParser(body)) {
      return switch (JsonReader.read(json, problems::add)) {
        case Node.Mapping object -> object;
        case Node.Scalar _, Node.Sequence _ ->
            throw new Refused(HttpStatus.BAD_REQUEST, "The body must be a JSON object.");
        case null ->
            throw new Refused(
                HttpStatus.BAD_REQUEST, "The body is empty; it must be a JSON object.");
      };
    } catch (JsonProcessingException e) {
      throw new Refused(malformed(e));
    } catch (IOException e) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The body is not JSON in UTF-8.");
    }
  }

  /** Whether PostgreSQL can store the text in our JSON. */
  static boolean isStorable(String text) {
    var problems = new Problems("");
    try (var json = MAPPER.createParser(text)) {
      JsonReader.read(json, problems::add);
      return problems.isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON", e);
    }
  }

  /** Equal requests have equal hashes, whatever their field order and white space. */
  static String hash(Map<String, Object> request) {
    try {
      var text = CANONICAL.writeValueAsBytes(request);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a request that is no JSON", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static Problem malformed(JsonProcessingException e) {
    var at = e.getLocation();
    var line = at == null ? 1 : at.getLineNr();
    var column = at == null ? 1 : at.getColumnNr();
    var detail =
        "The body is not JSON: line " + line + ", column " + column + ": " + e.getOriginalMessage();
    return Problem.of(HttpStatus.BAD_REQUEST, detail)
        .withErrors(
            List.of(Map.of("line", line, "column", column, "message", e.getOriginalMessage())));
  }

  private static JsonMapper mapper() {
    var module = new SimpleModule("belay");
    module.addSerializer(
        Instant.class, serializer((time, json) -> json.writeString(time.toString())));
    module.addSerializer(Json.class, serializer((raw, json) -> json.writeRawValue(raw.text())));
    return JsonMapper.builder(
            JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
                .build())
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .addModule(module)
        .build();
  }

  private static <T> JsonSerializer<T> serializer(Writing<T> writing) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writing.write(value, json);
      }
    };
  }

  private interface Writing<T> {
    void write(T value, JsonGenerator json) throws IOException;
  }
}
