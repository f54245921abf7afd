package dev.belay.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How often each thing that can occur did. Belongs to one thread. */
public final class Coverage {

  /** What is counted. */
  public enum Kind {
    /** A rule by which something was found and recovered. */
    RULE,
    FAULT,
    /** From one state to another, of a task or a run. */
    TRANSITION,
    /** Why a task is where it is. */
    REASON
  }

  private final Map<Kind, Map<String, Long>> counts = new EnumMap<>(Kind.class);

  public void count(Kind kind, String name) {
    counts.computeIfAbsent(kind, first -> new TreeMap<>()).merge(name, 1L, Long::sum);
  }

  public Map<String, Long> of(Kind kind) {
    return Collections.unmodifiableMap(counts.getOrDefault(kind, Map.of()));
  }

  public long total(Kind kind) {
    return of(kind).values().stream().mapToLong(Long::longValue).sum();
  }

  public void add(Coverage other) {
    other.counts.forEach(
        (kind, names) ->
            names.forEach(
                (name, count) ->
                    counts
                        .computeIfAbsent(kind, first -> new TreeMap<>())
                        .merge(name, count, Long::sum)));
  }
}
