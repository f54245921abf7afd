package dev.belay.workflow;

import dev.belay.domain.spec.Times;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The allowed values of a key. The reader and the JSON Schema both use these shapes. */
sealed interface Shape {

  /** Describes valid values; follows "must be ". */
  String expected();

  /** Any scalar counts as text, as written: {@code PORT: 8080} is the text 8080. */
  record Text(Rule rule, int charsMax) implements Shape {
    @Override
    public String expected() {
      return rule.expected;
    }
  }

  /** The allowed form of a text. */
  enum Rule {
    FREE("text", ".*"),
    /** May contain expressions; {@link WorkflowChecks} checks them. */
    TEMPLATE("text", ".*"),
    NAME(
        "a name of 1 to 100 characters a-z, 0-9, '_' and '-' that starts with a letter or digit",
        "[a-z0-9][a-z0-9_-]{0,99}"),
    PARAM_NAME(
        "a name of 1 to 100 characters a-z, 0-9 and '_' that starts with a letter",
        "[a-z][a-z0-9_]{0,99}"),
    ENV_NAME(
        "an environment name: letters, digits and '_', not starting with a digit",
        "[A-Za-z_][A-Za-z0-9_]{0,254}"),
    LABEL_NAME(
        "a label name of 1 to 100 characters a-z, 0-9, '_', '-', '.' and '/'",
        "[a-z0-9][a-z0-9_./-]{0,99}"),
    TOPIC(
        "a topic of 1 to 100 characters a-z, 0-9, '_', '-' and '.' that starts with a letter or"
            + " digit",
        "[a-z0-9][a-z0-9_.-]{0,99}"),
    CAPABILITY(
        "a capability of 1 to 100 characters a-z, 0-9, '_', '-', '.' and '/' that starts with a"
            + " letter or digit",
        "[a-z0-9][a-z0-9_./-]{0,99}"),
    EXIT_CODE("an exit code from 1 to 255", "[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]");

    final String expected;
    final Pattern pattern;

    Rule(String expected, String regex) {
      this.expected = expected;
      this.pattern = Pattern.compile(regex, Pattern.DOTALL);
    }

    boolean isAny() {
      return this == FREE || this == TEMPLATE;
    }
  }

  record Word(List<String> words) implements Shape {
    @Override
    public String expected() {
      return "one of " + String.join(", ", words);
    }
  }

  record Whole(int min, int max) implements Shape {
    @Override
    public String expected() {
      return min == max ? String.valueOf(min) : "a whole number from %d to %d".formatted(min, max);
    }
  }

  record Decimal(double min, double max) implements Shape {
    @Override
    public String expected() {
      return "a number from %s to %s".formatted(plain(min), plain(max));
    }

    private static String plain(double number) {
      return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }
  }

  record Flag() implements Shape {
    @Override
    public String expected() {
      return "true or false";
    }
  }

  record Span(Duration min, Duration max) implements Shape {
    Span(Duration min) {
      this(min, Durations.MAX);
    }

    boolean holds(Duration duration) {
      return duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0;
    }

    @Override
    public String expected() {
      String least = min.isZero() ? "" : ", at least " + Durations.format(min);
      return "a duration such as 500ms, 10s, 5m, 1h30m or 1d%s, at most %s"
          .formatted(least, Durations.format(max));
    }
  }

  /** A number of bytes with its unit. */
  record Bytes(long min, long max) implements Shape {
    @Override
    public String expected() {
      return "%s, from %s to %s".formatted(Sizes.EXPECTED, Sizes.format(min), Sizes.format(max));
    }
  }

  /** A point in time with its zone. */
  record Time() implements Shape {
    @Override
    public String expected() {
      return Times.EXPECTED;
    }
  }

  /** An IANA time zone. */
  record Zone() implements Shape {
    @Override
    public String expected() {
      return Zones.EXPECTED;
    }
  }

  /** A time of each day, and its zone. */
  record DailyTime() implements Shape {
    @Override
    public String expected() {
      return "a time of the day and a time zone, such as \"06:00 Europe/Berlin\" (UTC when there is"
          + " none)";
    }
  }

  /** The short form of a value, a scalar, or the long one. */
  record ShortOrLong(Shape brief, Shape full) implements Shape {
    @Override
    public String expected() {
      return brief.expected() + ", or " + full.expected();
    }
  }

  /**
   * @param example shows a list, for people who wrote none
   */
  record Items(Shape item, int min, int max, String example) implements Shape {
    @Override
    public String expected() {
      return "a list such as " + example;
    }
  }

  /** A mapping whose keys the user chooses. */
  record Entries(Rule keys, Shape value, int max, String example) implements Shape {
    @Override
    public String expected() {
      return "a mapping such as " + example;
    }
  }

  /**
   * A mapping of known keys.
   *
   * @param where names the place in messages: "a task"
   */
  record Fields(String where, Map<String, FileKey> keys, String example) implements Shape {
    Fields(String where, List<FileKey> keys, String example) {
      this(where, new LinkedHashMap<>(), example);
      keys.forEach(key -> this.keys.put(key.name(), key));
    }

    @Override
    public String expected() {
      return "a mapping such as " + example;
    }
  }

  /** Any value that JSON can hold. */
  record AnyJson() implements Shape {
    @Override
    public String expected() {
      return "a value";
    }
  }

  /** Allows {@code now}, and in a later version a mapping with one of these keys. */
  record OrLater(Shape now, List<String> laterKeys) implements Shape {
    @Override
    public String expected() {
      return now.expected();
    }
  }
}
