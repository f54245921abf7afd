package dev.belay.domain.schedule;

import dev.belay.domain.schedule.Cron.BadCron;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads one cron expression. */
final class CronParser {

  private static final String EXPECTED =
      "it needs 5 fields: minute, hour, day of month, month, day of week (or 6, with the second"
          + " first), such as 30 2 * * MON-FRI";

  private static final Map<String, String> PRESETS =
      Map.of(
          "@YEARLY", "0 0 1 1 *",
          "@ANNUALLY", "0 0 1 1 *",
          "@MONTHLY", "0 0 1 * *",
          "@WEEKLY", "0 0 * * 0",
          "@DAILY", "0 0 * * *",
          "@MIDNIGHT", "0 0 * * *",
          "@HOURLY", "0 * * * *");

  /** Parts of an expression are shown up to this length. */
  private static final int SHOWN_MAX = 40;

  private static final int NTH_MAX = 5;
  private static final int BEFORE_LAST_MAX = 30;

  private final EnumMap<CronField, Long> sets = new EnumMap<>(CronField.class);
  private int beforeLast;
  private int nearest;
  private long nth;

  private CronParser() {}

  static Cron parse(String text) throws BadCron {
    if (text.length() > Cron.CHARS_MAX) {
      throw new BadCron("the expression is longer than " + Cron.CHARS_MAX + " characters");
    }
    String written = text.strip();
    if (!written.chars().allMatch(each -> each == '\t' || (each >= ' ' && each <= '~'))) {
      throw new BadCron("the expression has a character that is not in ASCII, or a new line");
    }
    String upper = written.toUpperCase(Locale.ROOT);
    String fields = upper.startsWith("@") ? preset(upper) : upper;
    return new CronParser().cron(text, split(fields));
  }

  private static String preset(String name) throws BadCron {
    String fields = PRESETS.get(name);
    if (fields != null) {
      return fields;
    }
    String why =
        switch (name.split("\\s", 2)[0]) {
          case "@REBOOT" -> "Belay fires at times only; start a run with belay trigger";
          case "@EVERY" -> "write every: 15m in place of the cron expression";
          default ->
              "the presets are @yearly, @annually, @monthly, @weekly, @daily, @midnight and"
                  + " @hourly";
        };
    throw new BadCron(quoted(name.toLowerCase(Locale.ROOT)) + " is not a preset: " + why);
  }

  private static Map<CronField, String> split(String fields) throws BadCron {
    List<String> parts = new ArrayList<>(List.of(fields.split("\\s+")));
    if (fields.isEmpty()) {
      throw new BadCron("the expression is empty: " + EXPECTED);
    }
    if (parts.size() == 7) {
      throw new BadCron(
          "the expression has 7 fields, as Quartz writes it with a year: leave out the year, and"
              + " bound the trigger with start: and end:");
    }
    if (parts.size() < 5 || parts.size() > 7) {
      int count = parts.size();
      String has = count == 1 ? "1 field" : count + " fields";
      throw new BadCron("the expression has " + has + ": " + EXPECTED);
    }
    if (parts.size() == 5) {
      parts.addFirst("0");
    }
    EnumMap<CronField, String> byField = new EnumMap<>(CronField.class);
    for (CronField field : CronField.values()) {
      byField.put(field, parts.get(byField.size()));
    }
    return byField;
  }

  private Cron cron(String text, Map<CronField, String> parts) throws BadCron {
    for (Map.Entry<CronField, String> part : parts.entrySet()) {
      // With a limit, so that an empty item at the end stays one.
      for (String item : part.getValue().split(",", -1)) {
        readItem(part.getKey(), item);
      }
    }
    CronDays days =
        new CronDays(
            (int) set(CronField.MONTH),
            (int) set(CronField.DAY_OF_MONTH),
            beforeLast,
            nearest,
            (int) set(CronField.DAY_OF_WEEK),
            nth);
    if (!days.everOccur()) {
      throw new BadCron(
          "the expression never fires: no day of month "
              + quoted(parts.getOrDefault(CronField.DAY_OF_MONTH, ""))
              + " and day of week "
              + quoted(parts.getOrDefault(CronField.DAY_OF_WEEK, ""))
              + " exists in month "
              + quoted(parts.getOrDefault(CronField.MONTH, ""))
              + "; the last day of a month is L");
    }
    String hour = parts.getOrDefault(CronField.HOUR, "");
    boolean everyHour = hour.contains("*") || hour.contains("/");
    return new Cron(
        text, set(CronField.SECOND), set(CronField.MINUTE), set(CronField.HOUR), days, everyHour);
  }

  private long set(CronField field) {
    return sets.getOrDefault(field, 0L);
  }

  private void add(CronField field, int value) {
    sets.merge(field, 1L << value, (a, b) -> a | b);
  }

  private void readItem(CronField field, String item) throws BadCron {
    boolean special =
        switch (field) {
          case SECOND, MINUTE, HOUR, MONTH -> false;
          case DAY_OF_MONTH -> readDayOfMonth(item);
          case DAY_OF_WEEK -> readDayOfWeek(item);
        };
    if (special) {
      return;
    }
    int slash = item.indexOf('/');
    String range = slash < 0 ? item : item.substring(0, slash);
    int step = slash < 0 ? 1 : step(field, item, item.substring(slash + 1));
    if (range.equals("*") || (range.equals("?") && field.isDay())) {
      addRange(field, field.min(), field.max(), step);
      return;
    }
    int dash = range.indexOf('-');
    int low = value(field, item, dash < 0 ? range : range.substring(0, dash));
    if (dash >= 0) {
      addRange(field, low, value(field, item, range.substring(dash + 1)), step);
    } else if (slash >= 0) {
      addRange(field, low, field.max(), step);
    } else {
      addRange(field, low, low, 1);
    }
  }

  /**
   * A range whose end is before its beginning goes on at the smallest value. A range that begins at
   * day of week 7 begins at 0.
   */
  private void addRange(CronField field, int low, int high, int step) {
    int size = field.max() - field.min() + 1;
    int first = low > field.max() ? low - size : low;
    int last = low > field.max() && high > field.max() ? high - size : high;
    int length = last < first ? last - first + size : last - first;
    for (int passed = 0; passed <= length; passed += step) {
      add(field, field.min() + (first - field.min() + passed) % size);
    }
  }

  /** True when it was one of the forms that only this field has. */
  private boolean readDayOfMonth(String item) throws BadCron {
    CronField field = CronField.DAY_OF_MONTH;
    if (item.equals("L")) {
      beforeLast |= 1;
      return true;
    }
    if (item.equals("LW") || item.equals("WL")) {
      nearest |= 1;
      return true;
    }
    if (item.startsWith("L-")) {
      int days = number(item.substring(2));
      if (days < 0 || days > BEFORE_LAST_MAX) {
        throw wrong(field, item, "write L-1 to L-" + BEFORE_LAST_MAX + " for days before the last");
      }
      beforeLast |= 1 << days;
      return true;
    }
    if (item.endsWith("W")) {
      String day = item.substring(0, item.length() - 1);
      if (number(day) < 0) {
        throw wrong(field, item, "W follows one day, such as 15W or LW");
      }
      nearest |= 1 << value(field, item, day);
      return true;
    }
    if (item.contains("#")) {
      throw wrong(field, item, "# belongs into the day of week, such as FRI#2");
    }
    return false;
  }

  private boolean readDayOfWeek(String item) throws BadCron {
    CronField field = CronField.DAY_OF_WEEK;
    int hash = item.indexOf('#');
    if (hash >= 0) {
      int day = value(field, item, item.substring(0, hash)) % 7;
      int n = number(item.substring(hash + 1));
      if (n < 1 || n > NTH_MAX) {
        throw wrong(field, item, "1 to " + NTH_MAX + " must follow #; the last Friday is FRIL");
      }
      nth |= 1L << (8 * n + day);
      return true;
    }
    if (item.equals("L")) {
      throw wrong(
          field,
          item,
          "write SAT for Saturdays, FRIL for the last Friday of a month, or L in the"
              + " day of month for its last day");
    }
    if (item.length() > 1 && item.endsWith("L")) {
      nth |= 1L << (value(field, item, item.substring(0, item.length() - 1)) % 7);
      return true;
    }
    if (item.endsWith("W")) {
      throw wrong(field, item, "W belongs into the day of month; weekdays are MON-FRI");
    }
    return false;
  }

  private static int step(CronField field, String item, String text) throws BadCron {
    int step = number(text);
    int max = field.max() - field.min();
    if (step < 1) {
      throw wrong(field, item, "a step of 1 to " + max + " must follow /");
    }
    if (step > max) {
      throw wrong(
          field,
          item,
          "the step must be 1 to "
              + max
              + ", as it begins again with each "
              + larger(field)
              + "; longer periods are written every: 90m in place of the cron expression");
    }
    return step;
  }

  private static String larger(CronField field) {
    return switch (field) {
      case SECOND -> "minute";
      case MINUTE -> "hour";
      case HOUR -> "day";
      case DAY_OF_MONTH -> "month";
      case MONTH -> "year";
      case DAY_OF_WEEK -> "week";
    };
  }

  private static int value(CronField field, String item, String text) throws BadCron {
    Integer named = field.named(text);
    if (named != null) {
      return named;
    }
    int value = number(text);
    if (value >= field.min() && value <= field.writtenMax()) {
      return value;
    }
    throw wrong(field, item, hint(field, text, value));
  }

  private static String hint(CronField field, String text, int value) {
    String expected = "values are " + field.allowed();
    if (text.isEmpty()) {
      return "a value is missing; " + expected;
    }
    if (text.equals("?")) {
      return "only the days can have ?; write *";
    }
    if (text.length() > 3 && field.named(text.substring(0, 3)) != null) {
      return "write " + text.substring(0, 3) + "; " + expected;
    }
    boolean tooLarge = value == field.max() + 1;
    return switch (field) {
      case SECOND, MINUTE ->
          tooLarge ? expected + "; the full " + larger(field) + " is 0" : expected;
      case HOUR -> tooLarge ? expected + "; midnight is 0" : expected;
      case DAY_OF_MONTH ->
          text.equals("0") || tooLarge ? expected + "; the last day is L" : expected;
      case MONTH, DAY_OF_WEEK -> expected;
    };
  }

  /** A number of one or two digits; -1 when it is none. */
  private static int number(String text) {
    if (text.isEmpty() || text.length() > 2) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      value = value * 10 + digit - '0';
    }
    return value;
  }

  private static BadCron wrong(CronField field, String item, String why) {
    return new BadCron(field.title() + " " + quoted(item) + ": " + why);
  }

  private static String quoted(String part) {
    String shown = part.length() > SHOWN_MAX ? part.substring(0, SHOWN_MAX) + "..." : part;
    return '"' + shown + '"';
  }
}
