package dev.belay.domain.schedule;

import java.time.LocalDateTime;

/**
 * A cron expression: minute, hour, day of month, month, day of week, with an optional second before
 * them.
 *
 * <p>A field has {@code *}, values, ranges ({@code 9-17}; {@code 22-2} goes on over the end) and
 * steps ({@code *}{@code /5}, {@code 10-40/10}; {@code 5/15} begins at 5), with commas between
 * them. Months and days of the week have names; Sunday is 0 and 7. A day of month may be {@code L}
 * (the last), {@code L-3} (3 days before it), {@code 15W} (the weekday nearest to the 15th, in the
 * same month) or {@code LW}; a day of week {@code 5L} (the last Friday) or {@code FRI#2} (the
 * second). When both fields of days leave out a day, a day needs to match only one of them.
 *
 * <p>Two expressions are equal when their texts are.
 */
public final class Cron implements Recurrence {

  public static final int CHARS_MAX = 256;

  private static final int DAY = 86_400;

  private final String text;
  private final long seconds;
  private final long minutes;
  private final long hours;
  private final CronDays days;
  private final boolean everyHour;

  Cron(String text, long seconds, long minutes, long hours, CronDays days, boolean everyHour) {
    this.text = text;
    this.seconds = seconds;
    this.minutes = minutes;
    this.hours = hours;
    this.days = days;
    this.everyHour = everyHour;
  }

  /** Throws {@link BadCron} with a message for people. */
  public static Cron parse(String text) throws BadCron {
    return CronParser.parse(text);
  }

  /** The expression as it was written. */
  public String text() {
    return text;
  }

  /** The hour field has {@code *} or a step, so the hours are counted in real time. */
  public boolean followsRealTime() {
    return everyHour;
  }

  public boolean matches(LocalDateTime time) {
    return has(seconds, time.getSecond())
        && has(minutes, time.getMinute())
        && has(hours, time.getHour())
        && days.contain(time.toLocalDate());
  }

  /** The first day with a match from a day on, or {@code until} when there is none before it. */
  long nextDay(long from, long until) {
    return days.next(from, until);
  }

  /**
   * The first match from a local time on, or {@code until} when there is none before it. Local
   * times are seconds since 1970-01-01T00:00 on the same clock.
   */
  long nextLocal(long from, long until) {
    if (from >= until) {
      return until;
    }
    long today = Math.floorDiv(from, DAY);
    long untilDay = Math.floorDiv(until, DAY) + 1;
    long day = days.next(today, untilDay);
    if (day == today) {
      int second = nextSecondOfDay(Math.floorMod(from, DAY));
      if (second >= 0) {
        return Math.min(day * DAY + second, until);
      }
      day = days.next(today + 1, untilDay);
    }
    return Math.min(day * DAY + nextSecondOfDay(0), until);
  }

  /** The first match in a day from a second of the day on, or -1. */
  private int nextSecondOfDay(int from) {
    int hour = from / 3600;
    int minute = from / 60 % 60;
    int second = from % 60;
    if (has(hours, hour)) {
      if (has(minutes, minute)) {
        int next = next(seconds, second);
        if (next >= 0) {
          return hour * 3600 + minute * 60 + next;
        }
      }
      int next = next(minutes, minute + 1);
      if (next >= 0) {
        return hour * 3600 + next * 60 + next(seconds, 0);
      }
    }
    int next = next(hours, hour + 1);
    return next < 0 ? -1 : next * 3600 + next(minutes, 0) * 60 + next(seconds, 0);
  }

  private static boolean has(long set, int value) {
    return (set >> value & 1) == 1;
  }

  /** The first member from a value (at most 60) on, or -1. */
  private static int next(long set, int from) {
    long left = set & -1L << from;
    return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cron cron && text.equals(cron.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /** The expression is wrong; the message says what, and how to write it. */
  public static final class BadCron extends Exception {
    private static final long serialVersionUID = 1L;

    public BadCron(String message) {
      super(message);
    }
  }
}
