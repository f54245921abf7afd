package dev.belay.workflow;

import dev.belay.domain.routing.Pool;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pools, topics and tenants as the fields of a request; defaults are left out. */
public final class SystemCodec {

  private SystemCodec() {}

  public static Map<String, Object> pool(DeclaredPool pool) {
    Map<String, Object> json = described(pool.description());
    if (pool.state() != Pool.State.ACTIVE) {
      json.put("state", word(pool.state()));
    }
    putIfSet(json, "slots", pool.slots());
    if (!pool.capabilities().isEmpty()) {
      json.put("capabilities", List.copyOf(pool.capabilities()));
    }
    if (pool.strategy() != Pool.Strategy.SPREAD) {
      json.put("strategy", word(pool.strategy()));
    }
    return json;
  }

  public static Map<String, Object> topic(DeclaredTopic topic) {
    Map<String, Object> json = described(topic.description());
    json.put("pools", List.copyOf(topic.pools()));
    return json;
  }

  public static Map<String, Object> tenant(Tenant tenant) {
    Map<String, Object> json = described(tenant.description());
    if (tenant.weight() != Tenant.WEIGHT_DEFAULT) {
      json.put("weight", tenant.weight());
    }
    putIfSet(json, "max_running", tenant.maxRunning());
    putIfSet(json, "max_waiting", tenant.maxWaiting());
    Tenant.SubmitRate rate = tenant.submitRate();
    if (rate != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("max", rate.max());
      fields.put("per", Durations.format(rate.per()));
      json.put("submit_rate", fields);
    }
    return json;
  }

  private static Map<String, Object> described(@Nullable String description) {
    Map<String, Object> json = new LinkedHashMap<>();
    putIfSet(json, "description", description);
    return json;
  }

  private static void putIfSet(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
