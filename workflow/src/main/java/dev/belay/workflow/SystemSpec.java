package dev.belay.workflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a system file describes. */
public record SystemSpec(List<Pool> pools) {

  /** A pool that tasks may name. */
  public record Pool(String name, @Nullable String description) {}

  /** Sorts the pools by name: their order has no meaning. */
  public SystemSpec {
    var sorted = new ArrayList<>(pools);
    sorted.sort(Comparator.comparing(Pool::name));
    pools = List.copyOf(sorted);
  }

  /** Equal meanings have equal text. */
  public String toJson() {
    Map<String, Object> named = new LinkedHashMap<>();
    for (Pool pool : pools) {
      named.put(
          pool.name(),
          pool.description() == null ? Map.of() : Map.of("description", pool.description()));
    }
    return Json.write(Map.of("pools", named));
  }
}
