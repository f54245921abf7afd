package dev.belay.workflow;

import static dev.belay.workflow.FileKey.optional;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.DayCalendar.Range;
import dev.belay.workflow.Shape.Rule;
import dev.belay.workflow.Value.Fields;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the calendars of the system file. */
final class CalendarsReader {

  static final int CALENDARS_MAX = 100;
  static final int DATES_MAX = 2_000;

  private static final String TO = "..";
  private static final int DATES_CHARS_MAX = 30;
  private static final int YEAR_MIN = 1970;
  private static final int YEAR_MAX = 2199;
  private static final int WORD_CHARS = 3;
  private static final List<String> WEEKDAYS =
      Stream.of(DayOfWeek.values()).map(CalendarsReader::word).toList();
  private static final Set<DayOfWeek> WEEKEND = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);

  static final Shape.Fields CALENDAR =
      new Shape.Fields(
          "a calendar",
          List.of(
              optional(
                  "description", new Shape.Text(Rule.FREE, Keys.TEXT_CHARS_MAX), "What it is for."),
              optional(
                  "weekdays",
                  new Shape.Items(new Shape.Word(WEEKDAYS), 0, WEEKDAYS.size(), "[sat, sun]"),
                  "Days of each week on which triggers do not fire."),
              optional(
                  "dates",
                  new Shape.Items(
                      new Shape.Text(Rule.FREE, DATES_CHARS_MAX),
                      0,
                      DATES_MAX,
                      "[\"2026-12-25\", \"2026-12-24..2027-01-01\"]"),
                  "Dates, and ranges of dates with both ends, on which triggers do not fire."),
              optional(
                  "business_days",
                  new Shape.Flag(),
                  "true is the same as weekdays: [sat, sun] (default false).")),
          "{weekdays: [sat, sun], dates: [\"2026-12-25\"]}");

  static final Shape ALL =
      new Shape.Entries(
          Rule.NAME, CALENDAR, CALENDARS_MAX, "{holidays: {dates: [\"2026-12-25\"]}}");

  private final Problems problems;

  CalendarsReader(Problems problems) {
    this.problems = problems;
  }

  /** The calendars without problems. */
  List<DayCalendar> read(@Nullable Fields calendars) {
    List<DayCalendar> read = new ArrayList<>();
    if (calendars != null) {
      calendars.values().forEach((name, value) -> read.add(calendar(name, (Fields) value)));
    }
    return read;
  }

  private DayCalendar calendar(String name, Fields calendar) {
    Set<DayOfWeek> weekdays = EnumSet.noneOf(DayOfWeek.class);
    texts(calendar, "weekdays").forEach(day -> weekdays.add(weekday(day.text())));
    if (calendar.or("business_days", false)) {
      weekdays.addAll(WEEKEND);
    }
    if (weekdays.size() == WEEKDAYS.size()) {
      problems.add(
          calendar.node().at(),
          "the calendar '%s' has every day of the week, so nothing would fire; remove a day"
              .formatted(name));
    }
    List<Range> dates = new ArrayList<>();
    for (Value.Text written : texts(calendar, "dates")) {
      Range range = range(written);
      if (range != null) {
        dates.add(range);
      }
    }
    return new DayCalendar(name, calendar.text("description"), weekdays, dates);
  }

  private @Nullable Range range(Value.Text written) {
    String text = written.text();
    int to = text.indexOf(TO);
    LocalDate from = date(to < 0 ? text : text.substring(0, to));
    LocalDate until = to < 0 ? from : date(text.substring(to + TO.length()));
    if (from == null || until == null) {
      problems.add(
          written.node().at(),
          "each of 'dates' must be a date such as 2026-12-25, or two such as"
              + " 2026-12-24..2027-01-01, in the years 1970 to 2199, not "
              + ShapeReader.quoted(text));
      return null;
    }
    if (until.isBefore(from)) {
      problems.add(
          written.node().at(), "the range %s ends before it begins; turn it".formatted(text));
      return null;
    }
    return new Range(from, until);
  }

  private static @Nullable LocalDate date(String text) {
    try {
      LocalDate date = LocalDate.parse(text.strip());
      return date.getYear() < YEAR_MIN || date.getYear() > YEAR_MAX ? null : date;
    } catch (DateTimeParseException noDate) {
      return null;
    }
  }

  private static List<Value.Text> texts(Fields calendar, String key) {
    Value.Items items = calendar.find(key, Value.Items.class);
    return items == null ? List.of() : items.texts();
  }

  private static String word(DayOfWeek day) {
    return day.name().substring(0, WORD_CHARS).toLowerCase(Locale.ROOT);
  }

  private static DayOfWeek weekday(String word) {
    return DayOfWeek.of(WEEKDAYS.indexOf(word) + 1);
  }
}
