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
  JSON_NAME_MAX(Unit.COUNT, 1_000, "the most characters of a field's name in a JSON body"),
  JSON_KEYS_MAX(Unit.COUNT, 10_000, "the most fields of one object in a JSON body"),
  WORKFLOW_VALUES_MAX(
      Unit.COUNT, 300_000, "the most values in a workflow file, with its aliases written out"),
  CONNECTIONS_MAX(
      Unit.COUNT, 10_000, "open connections of clients; fewer when file descriptors are few"),
  CONNECTIONS_PER_ADDRESS(Unit.COUNT, 2_000, "open connections of clients from one address"),
  SUBMIT_MAX_TASKS(Unit.COUNT, 1_000, "the most tasks in one submit"),
  PAGE_MAX(Unit.COUNT, 500, "the most items on one page of a list"),
  EXPRESSION_STEPS(Unit.COUNT, 10_000_000, "the most steps of one expression"),
  EXPRESSION_TIME(Unit.MILLIS, 2_000, "the longest time of one expression on a processor"),
  RUN_EXPRESSION_STEPS(Unit.COUNT, 100_000_000, "the most steps of a run's expressions at once"),
  RUN_EXPRESSION_TIME(Unit.MILLIS, 10_000, "the longest time of a run's expressions at once on it"),
  RUN_EXPRESSION_CHARS(Unit.COUNT, 20_000_000, "the most text of a run's expressions at once"),
  PLAN_THREADS(Unit.COUNT, halfOfTheProcessors(), "threads that evaluate expressions of runs"),
  PLAN_RUNS(Unit.COUNT, 20, "runs whose expressions are evaluated or wait for it in memory"),
  PLAN_PATIENCE(Unit.MILLIS, 20, "how long a turn of the leader waits for expressions"),
  CHECK_THREADS(Unit.COUNT, halfOfTheProcessors(), "threads that check small, and large, requests"),
  CHECK_QUEUE(Unit.COUNT, 32, "small, and large, requests that wait to be checked"),
  CHECK_SMALL_MAX(Unit.BYTES, 32L << 10, "requests up to this size do not wait for larger ones"),
  CHECK_MAX(Unit.MILLIS, 20_000, "the longest time in which a request is checked"),
  LOG_MAX(Unit.BYTES, 10L << 20, "the largest log of one attempt"),
  LOG_TASK_MAX(Unit.BYTES, 100L << 20, "the most that is kept of all attempts of one task"),
  LOG_WORKER_RATE(Unit.BYTES, 32L << 20, "what one worker may log a second; it waits beyond"),
  LOG_DISK_MAX(Unit.BYTES, 20L << 30, "the most that all logs may take; the oldest go first"),
  LOG_DISK_FREE(Unit.BYTES, 256L << 20, "space that logs leave free on their disk"),
  LOG_RETRY(Unit.MILLIS, 5_000, "how long a worker waits when its logs cannot be stored"),
  LOG_THREADS(Unit.COUNT, 4, "threads that store logs"),
  LOG_DISPATCHES_MAX(Unit.COUNT, 10_000, "attempts whose growing logs are remembered"),
  LOG_RETENTION(Unit.MILLIS, days(14), "how long the logs of tasks are kept"),
  IDEMPOTENCY_RETENTION(Unit.MILLIS, days(7), "how long idempotency keys are remembered"),
  WORKER_SLOTS_MAX(Unit.COUNT, 10_000, "the most slots that a worker may offer"),
  WORKER_UNREAD_MAX(Unit.BYTES, 64L << 20, "a worker that leaves more unread is cut"),
  WORKER_UNREAD_FOR(Unit.MILLIS, 30_000, "a worker that reads nothing for longer is cut"),
  WORKER_RETENTION(Unit.MILLIS, days(1), "how long a worker that is not heard is listed"),
  REPLACED_WORKER_RETENTION(Unit.MILLIS, 3_600_000, "the same when its name joined anew"),
  WORKER_KEY_RETENTION(Unit.MILLIS, days(90), "how long nobody else can take its id");

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
          long count = Long.parseLong(size.group(1));
          yield count > Long.MAX_VALUE >> Math.max(0, shift)
              ? none()
              : Optional.of(count << Math.max(0, shift));
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

  /** So that the others are free for the rest of the server, whatever there is to compute. */
  private static long halfOfTheProcessors() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  private static long seconds(int count) {
    return Duration.ofSeconds(count).toMillis();
  }

  private static long days(int count) {
    return Duration.ofDays(count).toMillis();
  }
}
