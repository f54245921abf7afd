package dev.belay.domain.bulk;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks or runs of a tenant; null or empty means any.
 *
 * @param states never empty; names of task states, or of run states
 * @param run only tasks of this run
 * @param pool only tasks of this pool
 * @param name only tasks of this name
 * @param labels only tasks that have all of these
 * @param since only those created then or later
 * @param before only those created earlier
 */
public record BulkFilter(
    String tenant,
    SortedSet<String> states,
    @Nullable String workflow,
    @Nullable UUID run,
    @Nullable String pool,
    @Nullable String name,
    Map<String, String> labels,
    @Nullable Instant since,
    @Nullable Instant before) {

  public BulkFilter {
    states = Collections.unmodifiableSortedSet(new TreeSet<>(states));
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("a filter has at least one state");
    }
  }
}
