package dev.belay.workflow;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain Java values: String, Long, Double, Boolean, null, List, ordered Map. It streams:
 * these texts are small and many, and data binding costs start-up time.
 */
final class Json {

  private static final int NESTING_MAX = 100;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
          .build();

  private Json() {}

  static @Nullable Object read(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new IOException("no JSON value");
      }
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IOException("more than one JSON value");
      }
      return value;
    }
  }

  static String write(@Nullable Object value) {
    return write(value, false);
  }

  static String writePretty(@Nullable Object value) {
    return write(value, true);
  }

  private static String write(@Nullable Object value, boolean pretty) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      if (pretty) {
        generator.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      write(value, generator);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          fields.put(name, value(parser));
        }
        yield Collections.unmodifiableMap(fields);
      }
      case START_ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield Collections.unmodifiableList(items);
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT ->
          // PostgreSQL writes large jsonb floats without a decimal point.
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? (Object) finite(parser.getDoubleValue())
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> finite(parser.getDoubleValue());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IOException("unexpected JSON token " + parser.currentToken());
    };
  }

  private static double finite(double number) throws IOException {
    if (!Double.isFinite(number)) {
      throw new IOException("number out of range");
    }
    return number;
  }

  private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case String text -> json.writeString(text);
      case Boolean flag -> json.writeBoolean(flag);
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case List<?> items -> {
        json.writeStartArray();
        for (Object item : items) {
          write(item, json);
        }
        json.writeEndArray();
      }
      case Map<?, ?> fields -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          json.writeFieldName(String.valueOf(field.getKey()));
          write(field.getValue(), json);
        }
        json.writeEndObject();
      }
      default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
    }
  }
}
