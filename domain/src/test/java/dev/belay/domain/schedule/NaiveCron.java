package dev.belay.domain.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A second reckoning of cron expressions, as simple as possible and without code of {@link Cron}:
 * it lists the values of each field and tries every time. It accepts correct expressions only.
 */
final class NaiveCron {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private final Set<Integer> seconds;
  private final Set<Integer> minutes;
  private final Set<Integer> hours;
  private final Set<Integer> months;
  private final List<String> daysOfMonth;
  private final List<String> daysOfWeek;
  private final boolean anyDayOfMonth;
  private final boolean anyDayOfWeek;
  private final boolean realTime;

  NaiveCron(String expression) {
    List<String> fields =
        new ArrayList<>(List.of(expression.toUpperCase(Locale.ROOT).trim().split(" +")));
    if (fields.size() == 5) {
      fields.add(0, "0");
    }
    seconds = union(items(fields.get(0)), 0, 59);
    minutes = union(items(fields.get(1)), 0, 59);
    hours = union(items(fields.get(2)), 0, 23);
    realTime = fields.get(2).matches(".*[*/].*");
    daysOfMonth = items(fields.get(3));
    months = union(items(numbered(fields.get(4), MONTHS, 1)), 1, 12);
    daysOfWeek = items(numbered(fields.get(5), DAYS, 0));
    anyDayOfMonth = union(plain(daysOfMonth), 1, 31).size() == 31;
    anyDayOfWeek = weekdays(plain(daysOfWeek)).size() == 7;
  }

  /**
   * Programs differ on a field of days that has every day but is not a star: does it restrict the
   * days?
   */
  boolean hasEveryDayInOtherWords() {
    return (anyDayOfMonth && !daysOfMonth.equals(List.of("*")))
        || (anyDayOfWeek && !daysOfWeek.equals(List.of("*")));
  }

  private static List<String> items(String field) {
    return Arrays.asList(field.split(","));
  }

  private static String numbered(String field, List<String> names, int first) {
    String numbers = field;
    for (String name : names) {
      numbers = numbers.replace(name, String.valueOf(first + names.indexOf(name)));
    }
    return numbers;
  }

  private static List<String> plain(List<String> items) {
    return items.stream().filter(item -> !item.matches(".*[LW#].*")).toList();
  }

  private static Set<Integer> union(List<String> items, int min, int max) {
    Set<Integer> all = new HashSet<>();
    items.forEach(item -> all.addAll(values(item, min, max)));
    return all;
  }

  private static Set<Integer> weekdays(List<String> items) {
    Set<Integer> all = new HashSet<>();
    for (String item : items) {
      boolean week = item.startsWith("0-7");
      String inside = week ? "*" + item.substring(3) : item.replace('7', '0');
      all.addAll(values(inside, 0, 6));
    }
    return all;
  }

  private static Set<Integer> values(String item, int min, int max) {
    String[] parts = item.split("/");
    int step = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
    int low;
    int high;
    if (parts[0].equals("*") || parts[0].equals("?")) {
      low = min;
      high = max;
    } else if (parts[0].contains("-")) {
      low = Integer.parseInt(parts[0].split("-")[0]);
      high = Integer.parseInt(parts[0].split("-")[1]);
    } else {
      low = Integer.parseInt(parts[0]);
      high = parts.length == 1 ? low : max;
    }
    Set<Integer> found = new HashSet<>();
    int value = low;
    for (int passed = 0; ; passed++) {
      if (passed % step == 0) {
        found.add(value);
      }
      if (value == high) {
        return found;
      }
      value = value == max ? min : value + 1;
    }
  }

  private boolean fits(LocalDate day) {
    if (!months.contains(day.getMonthValue())) {
      return false;
    }
    boolean ofMonth = daysOfMonth.stream().anyMatch(item -> isDayOfMonth(item, day));
    boolean ofWeek = daysOfWeek.stream().anyMatch(item -> isDayOfWeek(item, day));
    if (anyDayOfMonth) {
      return anyDayOfWeek || ofWeek;
    }
    return anyDayOfWeek ? ofMonth : ofMonth || ofWeek;
  }

  private static boolean isDayOfMonth(String item, LocalDate day) {
    int last = day.lengthOfMonth();
    if (item.equals("L")) {
      return day.getDayOfMonth() == last;
    }
    if (item.startsWith("L-")) {
      return day.getDayOfMonth() == last - Integer.parseInt(item.substring(2));
    }
    if (item.equals("LW")) {
      return isNearest(day, last);
    }
    if (item.endsWith("W")) {
      int target = Integer.parseInt(item.replace("W", ""));
      return target <= last && isNearest(day, target);
    }
    return values(item, 1, 31).contains(day.getDayOfMonth());
  }

  private static boolean isNearest(LocalDate day, int target) {
    return IntStream.rangeClosed(1, day.lengthOfMonth())
        .mapToObj(day::withDayOfMonth)
        .filter(each -> each.getDayOfWeek().getValue() <= 5)
        .min(Comparator.comparingInt(each -> Math.abs(each.getDayOfMonth() - target)))
        .orElseThrow()
        .equals(day);
  }

  private static boolean isDayOfWeek(String item, LocalDate day) {
    if (item.contains("#")) {
      int n = Integer.parseInt(item.substring(2));
      return day.equals(day.with(TemporalAdjusters.dayOfWeekInMonth(n, dayOfWeek(item))));
    }
    if (item.endsWith("L")) {
      return day.equals(day.with(TemporalAdjusters.lastInMonth(dayOfWeek(item))));
    }
    return weekdays(List.of(item)).contains(day.getDayOfWeek().getValue() % 7);
  }

  private static DayOfWeek dayOfWeek(String item) {
    int number = item.charAt(0) - '0';
    return DayOfWeek.of(number == 0 ? 7 : number);
  }

  /** All instants in a time, by a loop over each minute. */
  long[] everyMinute(ZoneRules rules, int[] localMinutes, Dst dst, Instant from, Instant until) {
    boolean[] ofDay = new boolean[1440];
    for (int minute = 0; minute < ofDay.length; minute++) {
      ofDay[minute] = hours.contains(minute / 60) && minutes.contains(minute % 60);
    }
    return every(60, ofDay, rules, localMinutes, dst, from, until);
  }

  /** All instants in a time, by a loop over each second. */
  long[] everySecond(ZoneRules rules, int[] localSeconds, Dst dst, Instant from, Instant until) {
    boolean[] ofDay = new boolean[86_400];
    for (int second = 0; second < ofDay.length; second++) {
      ofDay[second] =
          hours.contains(second / 3600)
              && minutes.contains(second / 60 % 60)
              && seconds.contains(second % 60);
    }
    return every(1, ofDay, rules, localSeconds, dst, from, until);
  }

  /**
   * The local time at each unit of time of a zone, in units since the day before the first, for
   * {@link #everyMinute} and {@link #everySecond}.
   */
  static int[] localTimes(ZoneRules rules, int unit, Instant from, Instant until) {
    long base = base(from);
    int[] found = new int[(int) ((until.getEpochSecond() - from.getEpochSecond()) / unit)];
    for (int i = 0; i < found.length; i++) {
      Instant at = from.plusSeconds((long) i * unit);
      LocalDateTime local = LocalDateTime.ofInstant(at, rules.getOffset(at));
      found[i] = (int) ((local.toEpochSecond(ZoneOffset.UTC) - base) / unit);
    }
    return found;
  }

  private static long base(Instant from) {
    return Math.floorDiv(from.getEpochSecond(), 86_400) * 86_400 - 2 * 86_400;
  }

  private long[] every(
      int unit,
      boolean[] ofDay,
      ZoneRules rules,
      int[] locals,
      Dst dst,
      Instant from,
      Instant until) {
    long base = base(from);
    int days = (int) ((until.getEpochSecond() - base) / 86_400) + 3;
    boolean[] fits = new boolean[days];
    for (int day = 0; day < days; day++) {
      fits[day] = fits(LocalDate.ofEpochDay(base / 86_400 + day));
    }
    TreeSet<Long> sorted = new TreeSet<>();
    long[] found = new long[1024];
    int count = 0;
    if (realTime) {
      for (int i = 0; i < locals.length; i++) {
        if (fits[locals[i] / ofDay.length] && ofDay[locals[i] % ofDay.length]) {
          found = count == found.length ? Arrays.copyOf(found, count * 2) : found;
          found[count++] = from.getEpochSecond() + (long) i * unit;
        }
      }
      return Arrays.copyOf(found, count);
    }
    for (int i = 0; i < days * ofDay.length; i++) {
      if (fits[i / ofDay.length] && ofDay[i % ofDay.length]) {
        add(
            sorted,
            LocalDateTime.ofEpochSecond(base + (long) i * unit, 0, ZoneOffset.UTC),
            rules,
            dst);
      }
    }
    return sorted.subSet(from.getEpochSecond(), until.getEpochSecond()).stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  private static void add(Set<Long> found, LocalDateTime local, ZoneRules rules, Dst dst) {
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.isEmpty()) {
      if (dst.gap() == Dst.Gap.SHIFT) {
        var gap = rules.getTransition(local);
        LocalDateTime later = local.plus(gap.getDuration());
        found.add(later.toEpochSecond(gap.getOffsetAfter()));
      }
      return;
    }
    if (dst.repeat() != Dst.Repeat.LAST) {
      found.add(local.toEpochSecond(offsets.getFirst()));
    }
    if (dst.repeat() != Dst.Repeat.FIRST || offsets.size() == 1) {
      found.add(local.toEpochSecond(offsets.getLast()));
    }
  }
}
