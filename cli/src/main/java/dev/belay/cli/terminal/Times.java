package dev.belay.cli.terminal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats and parses times and durations for people, in the clock's time zone. */
public final class Times {

  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT);

  private final Clock clock;

  public Times(Clock clock) {
    this.clock = clock;
  }

  /** The same with another current time, for old information. */
  public Times at(Instant now) {
    return new Times(Clock.fixed(now, zone()));
  }

  public Instant now() {
    return clock.instant();
  }

  public String dateTime(Instant at) {
    return DATE_TIME.format(at.atZone(zone()));
  }

  /** The time of day with milliseconds. */
  public String time(Instant at) {
    return TIME.format(at.atZone(zone()));
  }

  /** The time of day to the second. */
  public String clock(Instant at) {
    return CLOCK.format(at.atZone(zone()));
  }

  public String date(Instant at) {
    return DATE.format(at.atZone(zone()));
  }

  public String ago(Instant at) {
    var age = Duration.between(at, now());
    return age.isNegative() ? "now" : coarse(age) + " ago";
  }

  private ZoneId zone() {
    return clock.getZone();
  }

  /** With three digits where they matter: 12ms, 1.234s, 3m04s, 2h05m, 3d04h. */
  public static String exact(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < 1_000) {
      return millis + "ms";
    }
    return millis < 60_000
        ? "%d.%03ds".formatted(millis / 1_000, millis % 1_000)
        : coarse(duration);
  }

  /** For a running count: 0.1s, 12.3s, 3m04s. */
  public static String running(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    return millis < 60_000
        ? "%d.%ds".formatted(millis / 1_000, millis % 1_000 / 100)
        : coarse(duration);
  }

  /** Whole seconds, minutes, hours or days: 12s, 3m04s, 2h05m, 3d04h. */
  public static String coarse(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return "%dm%02ds".formatted(seconds / 60, seconds % 60);
    }
    return seconds < 86_400
        ? "%dh%02dm".formatted(seconds / 3_600, seconds % 3_600 / 60)
        : "%dd%02dh".formatted(seconds / 86_400, seconds % 86_400 / 3_600);
  }
}
