package dev.belay.server;

import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sizes, counts and keeping times that bound what clients and workers can ask of a server, by
 * the name under which they can be set and seen.
 */
public enum Limit {
  BODY_MAX(Unit.BYTES, 8L << 20, "the largest body of a request"),
  BODIES_MEMORY_MAX(
      Unit.BYTES, 64L << 20, "memory for bodies on their way; at most 1/8 of the heap"),
  WORK_MEMORY_MAX(
      Unit.BYTES, 256L << 20, "memory for work on requests, estimated; at most 1/4 of the heap"),
  ANSWERS_MEMORY_MAX(
      Unit.BYTES, 64L << 20, "memory for answers not yet written; at most 1/8 of the heap"),
  REQUEST_TIME_MAX(
      Unit.MILLIS, seconds(30), "the longest time of an ordinary call, from its whole body"),
  SUBMITS_AT_ONCE(Unit.COUNT, 16, "requests with a body in work at once, for each route"),
  UPLOAD_RATE_MIN(Unit.BYTES, 4L << 10, "bytes a second below which a body is cut off"),
  UPLOAD_STALL_MAX(Unit.MILLIS, seconds(5), "the time over which the rate of a body is measured"),
  UPLOAD_TIME_MAX(Unit.MILLIS, seconds(60), "the longest time that a body may take to come"),
  ANSWER_STALL_MAX(
      Unit.MILLIS, seconds(10), "a client that reads nothing of its answer for so long is cut off"),
  ANSWER_TIME_MAX(
      Unit.MILLIS, seconds(120), "the longest time that one answer may take to be read"),
  JSON_VALUES_MAX(Unit.COUNT, 100_000, "the most values in a JSON body"),
  JSON_DEPTH_MAX(Unit.COUNT, 200, "the deepest nesting of a JSON body; never more than 200"),
  JSON_STRING_MAX(Unit.BYTES, 4L << 20, "the longest text in a JSON body"),
  JSON_NUMBER_MAX(Unit.COUNT, 400, "the most characters of a number in a JSON body"),
  JSON_KEYS_MAX(Unit.COUNT, 10_000, "the most fields of one object in a JSON body"),
  WORKFLOW_VALUES_MAX(
      Unit.COUNT, 300_000, "the most values in a workflow file, with its aliases written out"),
  CONNECTIONS_MAX(
      Unit.COUNT, 10_000, "open connections of clients; fewer when file descriptors are few"),
  CONNECTIONS_PER_ADDRESS(Unit.COUNT, 2_000, "open connections of clients from one address"),
  SUBMIT_MAX_TASKS(Unit.COUNT, 1_000, "the most tasks in one submit"),
  PAGE_MAX(Unit.COUNT, 500, "the most items on one page of a list"),
  LOG_MAX(Unit.BYTES, 10L << 20, "the largest log of one attempt"),
  LOG_RETENTION(Unit.MILLIS, days(14), "how long the logs of tasks are kept"),
  IDEMPOTENCY_RETENTION(Unit.MILLIS, days(7), "how long idempotency keys are remembered");

  /** How a value is written. */
  public enum Unit {
    BYTES("a size. Write it like 512KiB or 8MiB"),
    COUNT("a count. Write it like 500"),
    MILLIS("a duration. Write it like 500ms, 10s or 2m");

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12}) ?([KMG]iB|B)?");

    private final String meaning;

    Unit(String meaning) {
      this.meaning = meaning;
    }

    /** What a value must be, and how to write it. */
    public String meaning() {
      return meaning;
    }

    String format(long value) {
      return switch (this) {
        case COUNT -> Long.toString(value);
        case MILLIS -> Durations.format(Duration.ofMillis(value));
        case BYTES -> {
          for (int shift = 30; shift > 0; shift -= 10) {
            if (value != 0 && value % (1L << shift) == 0) {
              yield (value >> shift) + " KMG".substring(shift / 10, shift / 10 + 1) + "iB";
            }
          }
          yield value + "B";
        }
      };
    }

    Optional<Long> parse(String text) {
      return switch (this) {
        case COUNT -> text.matches("[0-9]{1,9}") ? Optional.of(Long.valueOf(text)) : none();
        case MILLIS -> Durations.parse(text).map(Duration::toMillis);
        case BYTES -> {
          Matcher size = SIZE.matcher(text);
          if (!size.matches()) {
            yield none();
          }
          String unit = size.group(2);
          int shift = unit == null ? 0 : 10 * " KMG".indexOf(unit.charAt(0));
          yield Optional.of(Long.parseLong(size.group(1)) << Math.max(0, shift));
        }
      };
    }

    private static Optional<Long> none() {
      return Optional.empty();
    }
  }

  private final Unit unit;
  private final long byDefault;
  private final String meaning;

  Limit(Unit unit, long byDefault, String meaning) {
    this.unit = unit;
    this.byDefault = byDefault;
    this.meaning = meaning;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Unit unit() {
    return unit;
  }

  public String meaning() {
    return meaning;
  }

  long byDefault() {
    return byDefault;
  }

  /** A positive value, as a person writes it. */
  public Optional<Long> parse(String text) {
    return unit.parse(text).filter(value -> value > 0);
  }

  public String format(long value) {
    return unit.format(value);
  }

  public static Optional<Limit> named(String word) {
    for (Limit one : values()) {
      if (one.word().equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  private static long seconds(int count) {
    return Duration.ofSeconds(count).toMillis();
  }

  private static long days(int count) {
    return Duration.ofDays(count).toMillis();
  }
}
