package dev.belay.store.bulk;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkFilter.Letters;
import dev.belay.workflow.JsonValues;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Filters of bulk operations as JSON, with only the fields that they have. */
public final class FilterJson {

  private static final Set<String> FIELDS =
      Set.of(
          "tenant",
          "states",
          "workflow",
          "run",
          "pool",
          "name",
          "labels",
          "created_since",
          "created_before",
          "reason",
          "topic",
          "fingerprint");

  private FilterJson() {}

  public static String write(BulkFilter filter) {
    var json = new LinkedHashMap<String, Object>();
    json.put("tenant", filter.tenant());
    json.put("states", List.copyOf(filter.states()));
    put(json, "workflow", filter.workflow());
    put(json, "run", filter.run());
    put(json, "pool", filter.pool());
    put(json, "name", filter.name());
    if (!filter.labels().isEmpty()) {
      json.put("labels", filter.labels());
    }
    put(json, "created_since", filter.since());
    put(json, "created_before", filter.before());
    put(json, "reason", filter.letters().reason());
    put(json, "topic", filter.letters().topic());
    put(json, "fingerprint", filter.letters().fingerprint());
    return JsonValues.write(json);
  }

  private static void put(Map<String, Object> json, String field, @Nullable Object value) {
    if (value != null) {
      json.put(field, value.toString());
    }
  }

  /**
   * @throws RuntimeException when another version of Belay wrote it: an unknown field must not
   *     widen the filter
   */
  static BulkFilter read(String text) {
    Map<String, Object> json = JsonValues.readObject(text);
    if (!FIELDS.containsAll(json.keySet())) {
      throw new IllegalArgumentException("unknown fields in " + json.keySet());
    }
    var states = new TreeSet<String>();
    ((List<?>) json.getOrDefault("states", List.of())).forEach(one -> states.add((String) one));
    var labels = new TreeMap<String, String>();
    ((Map<?, ?>) json.getOrDefault("labels", Map.of()))
        .forEach((key, value) -> labels.put((String) key, (String) value));
    String run = (String) json.get("run");
    String since = (String) json.get("created_since");
    String before = (String) json.get("created_before");
    return new BulkFilter(
        String.valueOf(json.get("tenant")),
        states,
        (String) json.get("workflow"),
        run == null ? null : UUID.fromString(run),
        (String) json.get("pool"),
        (String) json.get("name"),
        labels,
        since == null ? null : Instant.parse(since),
        before == null ? null : Instant.parse(before),
        new Letters(
            (String) json.get("reason"),
            (String) json.get("topic"),
            (String) json.get("fingerprint")));
  }
}
