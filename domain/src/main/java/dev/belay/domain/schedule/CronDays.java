package dev.belay.domain.schedule;

import java.time.LocalDate;

/**
 * The days of a cron expression. All sets have a bit for each member.
 *
 * @param months 1 to 12
 * @param ofMonth 1 to 31
 * @param beforeLast days counted from the end of a month: bit 0 is its last day
 * @param nearest days of the month that stand for the weekday (Monday to Friday) nearest to them in
 *     that month; bit 0 stands for the month's last weekday
 * @param ofWeek 0 to 6, Sunday is 0
 * @param nth {@code 8 * n + day of week} for the nth such day of a month; n is 0 for its last one
 */
record CronDays(int months, int ofMonth, int beforeLast, int nearest, int ofWeek, long nth) {

  private static final int EVERY_DAY_OF_MONTH = (int) CronField.DAY_OF_MONTH.all();
  private static final int EVERY_DAY_OF_WEEK = (int) CronField.DAY_OF_WEEK.all();

  /** A common year and a leap year for each day of the week on which a year can begin. */
  private static final int[] EVERY_KIND_OF_YEAR = {
    2001, 2002, 2003, 2004, 2005, 2006, 2008, 2009, 2010, 2012, 2016, 2020, 2024, 2028
  };

  boolean everOccur() {
    for (int year : EVERY_KIND_OF_YEAR) {
      for (int month = 1; month <= 12; month++) {
        if (inMonth(LocalDate.of(year, month, 1)) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  boolean contain(LocalDate day) {
    return (inMonth(day.withDayOfMonth(1)) >> day.getDayOfMonth() & 1) == 1;
  }

  /** The first of these days from {@code from} on, or {@code until} when there is none before. */
  long next(long from, long until) {
    LocalDate day = LocalDate.ofEpochDay(from);
    LocalDate first = day.withDayOfMonth(1);
    int left = inMonth(first) & -1 << day.getDayOfMonth();
    while (left == 0) {
      first = first.plusMonths(1);
      if (first.toEpochDay() >= until) {
        return until;
      }
      left = inMonth(first);
    }
    return Math.min(first.toEpochDay() + Integer.numberOfTrailingZeros(left) - 1, until);
  }

  /** A bit for each of these days in a month, given by its first day. */
  private int inMonth(LocalDate first) {
    if ((months >> first.getMonthValue() & 1) == 0) {
      return 0;
    }
    int length = first.lengthOfMonth();
    int existing = ((1 << length) - 1) << 1;
    int weekdayOfFirst = first.getDayOfWeek().getValue() % 7;
    boolean anyDayOfMonth = ofMonth == EVERY_DAY_OF_MONTH;
    boolean anyDayOfWeek = ofWeek == EVERY_DAY_OF_WEEK;
    if (anyDayOfMonth || anyDayOfWeek) {
      int days = anyDayOfMonth ? -1 : byDayOfMonth(length, weekdayOfFirst);
      int weekdays = anyDayOfWeek ? -1 : byDayOfWeek(length, weekdayOfFirst);
      return days & weekdays & existing;
    }
    return (byDayOfMonth(length, weekdayOfFirst) | byDayOfWeek(length, weekdayOfFirst)) & existing;
  }

  private int byDayOfMonth(int length, int weekdayOfFirst) {
    int days = ofMonth;
    for (int left = beforeLast; left != 0; left &= left - 1) {
      int day = length - Integer.numberOfTrailingZeros(left);
      days |= day < 1 ? 0 : 1 << day;
    }
    for (int left = nearest; left != 0; left &= left - 1) {
      int day = Integer.numberOfTrailingZeros(left);
      days |=
          day > length ? 0 : 1 << nearestWeekday(day == 0 ? length : day, length, weekdayOfFirst);
    }
    return days;
  }

  private static int nearestWeekday(int day, int length, int weekdayOfFirst) {
    return switch ((weekdayOfFirst + day - 1) % 7) {
      case 6 -> day == 1 ? 3 : day - 1;
      case 0 -> day == length ? day - 2 : day + 1;
      default -> day;
    };
  }

  private int byDayOfWeek(int length, int weekdayOfFirst) {
    int days = 0;
    for (int left = ofWeek; left != 0; left &= left - 1) {
      int first = firstOf(Integer.numberOfTrailingZeros(left), weekdayOfFirst);
      days |= (1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28) << first;
    }
    for (long left = nth; left != 0; left &= left - 1) {
      int code = Long.numberOfTrailingZeros(left);
      int first = firstOf(code % 8, weekdayOfFirst);
      int last = first + (length - first) / 7 * 7;
      int day = code < 8 ? last : first + (code / 8 - 1) * 7;
      days |= day > length ? 0 : 1 << day;
    }
    return days;
  }

  /** The first day of the month that is this day of the week. */
  private static int firstOf(int dayOfWeek, int weekdayOfFirst) {
    return 1 + (dayOfWeek - weekdayOfFirst + 7) % 7;
  }
}
