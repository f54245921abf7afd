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
 * Selects tasks, runs or dead letters of a tenant; null or empty means any.
 *
 * @param states never empty; names of task states or of run states, or OPEN for dead letters
 * @param run only tasks of this run
 * @param pool only tasks of this pool
 * @param name only tasks of this name
 * @param labels only tasks that have all of these
 * @param since only those created then or later
 * @param before only those created earlier
 * @param letters more about dead letters
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
    @Nullable Instant before,
    Letters letters) {

  /** Selects dead letters. */
  public record Letters(
      @Nullable String reason, @Nullable String topic, @Nullable String fingerprint) {
    public static final Letters ANY = new Letters(null, null, null);
  }

  /** For tasks and runs. */
  public BulkFilter(
      String tenant,
      SortedSet<String> states,
      @Nullable String workflow,
      @Nullable UUID run,
      @Nullable String pool,
      @Nullable String name,
      Map<String, String> labels,
      @Nullable Instant since,
      @Nullable Instant before) {
    this(tenant, states, workflow, run, pool, name, labels, since, before, Letters.ANY);
  }

  public BulkFilter {
    states = Collections.unmodifiableSortedSet(new TreeSet<>(states));
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("a filter has at least one state");
    }
  }
}
