package dev.belay.workflow;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one way to write a duration: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code 1d}. */
public final class Durations {

  /** About ten years: long enough for any task, short enough that no sum overflows. */
  public static final Duration MAX = Duration.ofDays(3650);

  /** The grammar as a regular expression; each unit at most once, large before small. */
  public static final String PATTERN =
      "(?=[0-9])(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?"
          + "(?:([0-9]{1,9})ms)?";

  private static final Pattern GRAMMAR = Pattern.compile(PATTERN);

  private Durations() {}

  /** The duration of a text; empty when invalid or longer than {@link #MAX}. */
  public static Optional<Duration> parse(String text) {
    Matcher parts = GRAMMAR.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Duration sum =
        Duration.ofDays(number(parts, 1))
            .plusHours(number(parts, 2))
            .plusMinutes(number(parts, 3))
            .plusSeconds(number(parts, 4))
            .plusMillis(number(parts, 5));
    return sum.compareTo(MAX) > 0 ? Optional.empty() : Optional.of(sum);
  }

  /** The shortest text that {@link #parse} reads as this duration, to the millisecond. */
  public static String format(Duration duration) {
    StringBuilder text = new StringBuilder();
    append(text, duration.toDaysPart(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static long number(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static void append(StringBuilder text, long number, String unit) {
    if (number != 0) {
      text.append(number).append(unit);
    }
  }
}
