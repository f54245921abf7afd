package dev.belay.domain.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Days on which triggers do not fire.
 *
 * @param weekdays excluded on every week
 * @param dates excluded ranges
 */
public record DayCalendar(
    String name, @Nullable String description, Set<DayOfWeek> weekdays, List<Range> dates) {

  public DayCalendar {
    weekdays = Set.copyOf(weekdays);
    dates = List.copyOf(dates);
  }

  /** Both ends are in the range. */
  public record Range(LocalDate from, LocalDate to) {}

  /** Excludes every day. */
  public static DayCalendar everyDay(String name) {
    return new DayCalendar(name, null, EnumSet.allOf(DayOfWeek.class), List.of());
  }

  public boolean excludes(LocalDate day) {
    return weekdays.contains(day.getDayOfWeek())
        || dates.stream()
            .anyMatch(range -> !day.isBefore(range.from()) && !day.isAfter(range.to()));
  }
}
