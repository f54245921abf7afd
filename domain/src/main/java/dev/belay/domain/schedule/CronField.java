package dev.belay.domain.schedule;

import org.jspecify.annotations.Nullable;

/** A field of a cron expression, in the order in which they are written. */
enum CronField {
  SECOND("second", 0, 59, ""),
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  /** 7 is Sunday too. */
  DAY_OF_WEEK("day of week", 0, 6, "SUN MON TUE WED THU FRI SAT");

  private static final int NAME_CHARS = 3;

  private final String title;
  private final int min;
  private final int max;

  /** The names of the values with a space between them; empty when they have none. */
  private final String names;

  CronField(String title, int min, int max, String names) {
    this.title = title;
    this.min = min;
    this.max = max;
    this.names = names;
  }

  String title() {
    return title;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  /** The largest number that may be written. */
  int writtenMax() {
    return this == DAY_OF_WEEK ? 7 : max;
  }

  boolean isDay() {
    return this == DAY_OF_MONTH || this == DAY_OF_WEEK;
  }

  /** A bit for each value. */
  long all() {
    return (1L << (max + 1)) - (1L << min);
  }

  /** The value of a name in upper case; null when there is no such name. */
  @Nullable Integer named(String name) {
    int at = name.length() == NAME_CHARS ? names.indexOf(name) : -1;
    return at % (NAME_CHARS + 1) == 0 ? Integer.valueOf(min + at / (NAME_CHARS + 1)) : null;
  }

  /** "0 to 59", or "0 to 7 or SUN to SAT". */
  String allowed() {
    String numbers = min + " to " + writtenMax();
    if (names.isEmpty()) {
      return numbers;
    }
    String last = names.substring(names.length() - NAME_CHARS);
    return numbers + " or " + names.substring(0, NAME_CHARS) + " to " + last;
  }
}
