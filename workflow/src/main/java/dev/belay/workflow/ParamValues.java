package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import java.io.IOException;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts a given parameter to its type. */
final class ParamValues {

  static final int NESTING_MAX = 50;

  private static final String MIDNIGHT = "T00:00:00Z";

  private ParamValues() {}

  /** Follows "must be ". */
  static String expected(ParamSpec.Type type, List<String> values) {
    return switch (type) {
      case STRING -> "text (in quotes, if it looks like a number or true/false)";
      case INT -> "a whole number";
      case FLOAT -> "a number";
      case BOOL -> "true or false";
      case DATE -> "a date such as 2026-01-31";
      case DATETIME -> "a time such as 2026-01-31T06:30:00Z";
      case ENUM -> "one of " + String.join(", ", values);
      case JSON -> "JSON";
    };
  }

  static String word(ParamSpec.Type type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** The value in its type: String, Long, Double, Boolean or JSON; empty when it does not fit. */
  static Optional<Object> convert(ParamSpec.Type type, List<String> values, Object given) {
    return switch (type) {
      case STRING -> given instanceof String text ? Optional.of(text) : Optional.empty();
      case INT -> whole(given);
      case FLOAT -> decimal(given);
      case BOOL -> flag(given);
      case DATE ->
          given instanceof String text && isDate(text) ? Optional.of(text) : Optional.empty();
      case DATETIME ->
          given instanceof String text && isTime(text) ? Optional.of(text) : Optional.empty();
      case ENUM -> Optional.<Object>of(String.valueOf(given)).filter(values::contains);
      case JSON -> given instanceof String text ? json(text) : plain(given, 0);
    };
  }

  /** Like {@link #convert}, but an expression may give a date for a time and the reverse. */
  static Optional<Object> convertComputed(
      ParamSpec.Type type, List<String> values, Object computed) {
    if (type == ParamSpec.Type.DATE && computed instanceof String text && isTime(text)) {
      return Optional.of(OffsetDateTime.parse(text).toLocalDate().toString());
    }
    if (type == ParamSpec.Type.DATETIME && computed instanceof String text && isDate(text)) {
      return Optional.of(text + MIDNIGHT);
    }
    return type == ParamSpec.Type.JSON ? Optional.of(computed) : convert(type, values, computed);
  }

  private static Optional<Object> whole(Object given) {
    return switch (given) {
      case Long number -> Optional.of(number);
      case Integer number -> Optional.of(number.longValue());
      case BigInteger number -> Numbers.whole(number.toString()).map(n -> n);
      case String text -> Numbers.whole(text.strip()).map(n -> n);
      default -> Optional.empty();
    };
  }

  private static Optional<Object> decimal(Object given) {
    return switch (given) {
      case Number number -> Optional.<Object>of(number.doubleValue()).filter(n -> finite(number));
      case String text -> Numbers.finite(text.strip()).map(n -> n);
      default -> Optional.empty();
    };
  }

  private static boolean finite(Number number) {
    return Double.isFinite(number.doubleValue());
  }

  private static Optional<Object> flag(Object given) {
    return switch (given) {
      case Boolean flag -> Optional.of(flag);
      case String text when text.equals("true") || text.equals("false") ->
          Optional.of(Boolean.valueOf(text));
      default -> Optional.empty();
    };
  }

  /** A command line gives JSON as text, and plain words are strings: {@code --param x=hello}. */
  private static Optional<Object> json(String text) {
    try {
      Object value = Json.read(text);
      return value == null ? Optional.empty() : plain(value, 0);
    } catch (IOException e) {
      String start = text.stripLeading();
      boolean meantAsJson =
          start.startsWith("{") || start.startsWith("[") || start.startsWith("\"");
      return meantAsJson ? Optional.empty() : Optional.of(text);
    }
  }

  /**
   * JSON in the few types that Belay stores and evaluates; empty when it is invalid or too deep to
   * read back.
   */
  static Optional<Object> plain(Object given, int depth) {
    if (depth > NESTING_MAX) {
      return Optional.empty();
    }
    return switch (given) {
      case String text -> Optional.of(text);
      case Boolean flag -> Optional.of(flag);
      case Number number -> whole(number).or(() -> decimal(number));
      case List<?> items -> plainList(items, depth);
      case Map<?, ?> fields -> plainMap(fields, depth);
      default -> Optional.empty();
    };
  }

  private static Optional<Object> plainList(List<?> items, int depth) {
    List<@Nullable Object> plain = new ArrayList<>();
    for (Object item : items) {
      Optional<Object> value = item == null ? Optional.empty() : plain(item, depth + 1);
      if (item != null && value.isEmpty()) {
        return Optional.empty();
      }
      plain.add(value.orElse(null));
    }
    return Optional.of(Collections.unmodifiableList(plain));
  }

  private static Optional<Object> plainMap(Map<?, ?> fields, int depth) {
    Map<String, @Nullable Object> plain = new LinkedHashMap<>();
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      Object item = field.getValue();
      Optional<Object> value = item == null ? Optional.empty() : plain(item, depth + 1);
      if (item != null && value.isEmpty()) {
        return Optional.empty();
      }
      plain.put(String.valueOf(field.getKey()), value.orElse(null));
    }
    return Optional.of(Collections.unmodifiableMap(plain));
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}
