package dev.belay.workflow;

import dev.belay.domain.schedule.DayCalendar;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a system file describes. */
public record SystemSpec(List<Pool> pools, List<DayCalendar> calendars) {

  /** A pool that tasks may name. */
  public record Pool(String name, @Nullable String description) {}

  /** Sorts by name: the order has no meaning. */
  public SystemSpec {
    pools = pools.stream().sorted(Comparator.comparing(Pool::name)).toList();
    calendars =
        calendars.stream()
            .map(CalendarCodec::sorted)
            .sorted(Comparator.comparing(DayCalendar::name))
            .toList();
  }

  /** Equal meanings have equal text. */
  public String toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    Map<String, Object> named = new LinkedHashMap<>();
    for (Pool pool : pools) {
      named.put(
          pool.name(),
          pool.description() == null ? Map.of() : Map.of("description", pool.description()));
    }
    json.put("pools", named);
    if (!calendars.isEmpty()) {
      Map<String, Object> days = new LinkedHashMap<>();
      calendars.forEach(calendar -> days.put(calendar.name(), CalendarCodec.calendar(calendar)));
      json.put("calendars", days);
    }
    return Json.write(json);
  }
}
