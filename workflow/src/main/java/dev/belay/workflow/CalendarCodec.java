package dev.belay.workflow;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.DayCalendar.Range;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The stored form of calendars; equal meanings have equal text. */
final class CalendarCodec {

  private static final String TO = "..";

  private CalendarCodec() {}

  static Map<String, Object> calendar(DayCalendar calendar) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (calendar.description() != null) {
      json.put("description", calendar.description());
    }
    if (!calendar.weekdays().isEmpty()) {
      json.put("weekdays", calendar.weekdays().stream().sorted().map(DayOfWeek::name).toList());
    }
    if (!calendar.dates().isEmpty()) {
      json.put("dates", calendar.dates().stream().map(CalendarCodec::text).toList());
    }
    return json;
  }

  /** The same days: the order of the dates has no meaning. */
  static DayCalendar sorted(DayCalendar calendar) {
    List<Range> dates =
        calendar.dates().stream()
            .distinct()
            .sorted(Comparator.comparing(Range::from).thenComparing(Range::to))
            .toList();
    return new DayCalendar(calendar.name(), calendar.description(), calendar.weekdays(), dates);
  }

  private static String text(Range range) {
    return range.from().equals(range.to())
        ? range.from().toString()
        : range.from() + TO + range.to();
  }

  static DayCalendar calendar(String name, JsonFields json) {
    try {
      Set<DayOfWeek> weekdays =
          json.texts("weekdays").stream().map(DayOfWeek::valueOf).collect(Collectors.toSet());
      return new DayCalendar(
          name,
          json.textOrNull("description"),
          weekdays,
          json.texts("dates").stream().map(CalendarCodec::range).toList());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a stored calendar: " + name, e);
    }
  }

  private static Range range(String text) {
    int to = text.indexOf(TO);
    LocalDate from = LocalDate.parse(to < 0 ? text : text.substring(0, to));
    return new Range(from, to < 0 ? from : LocalDate.parse(text.substring(to + TO.length())));
  }
}
