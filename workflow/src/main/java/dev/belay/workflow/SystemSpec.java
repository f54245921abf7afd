package dev.belay.workflow;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What a system file describes. */
public record SystemSpec(
    List<DeclaredPool> pools,
    List<DeclaredTopic> topics,
    List<Tenant> tenants,
    List<DayCalendar> calendars) {

  /** Sorts by name: the order has no meaning. */
  public SystemSpec {
    pools = sorted(pools, DeclaredPool::name);
    topics = sorted(topics, DeclaredTopic::name);
    tenants = sorted(tenants, Tenant::name);
    calendars = sorted(calendars.stream().map(CalendarCodec::sorted).toList(), DayCalendar::name);
  }

  private static <T> List<T> sorted(List<T> all, Function<T, String> name) {
    return all.stream().sorted(Comparator.comparing(name)).toList();
  }

  /** Equal meanings have equal text. */
  public String toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("pools", named(pools, DeclaredPool::name, SystemCodec::pool));
    // A file without them has the text that it had before they existed.
    putIfAny(json, "topics", named(topics, DeclaredTopic::name, SystemCodec::topic));
    putIfAny(json, "tenants", named(tenants, Tenant::name, SystemCodec::tenant));
    putIfAny(json, "calendars", named(calendars, DayCalendar::name, CalendarCodec::calendar));
    return Json.write(json);
  }

  private static <T> Map<String, Object> named(
      List<T> all, Function<T, String> name, Function<T, Map<String, Object>> fields) {
    Map<String, Object> named = new LinkedHashMap<>();
    all.forEach(each -> named.put(name.apply(each), fields.apply(each)));
    return named;
  }

  private static void putIfAny(Map<String, Object> json, String key, Map<String, Object> named) {
    if (!named.isEmpty()) {
      json.put(key, named);
    }
  }
}
