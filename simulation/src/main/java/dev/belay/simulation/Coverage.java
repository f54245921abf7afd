package dev.belay.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often each possible event occurred. Confined to one thread. */
public final class Coverage {

  public enum Kind {
    /** A rule that detected and recovered a stall. */
    RULE,
    FAULT,
    /** From one state to another, of a task or a run. */
    TRANSITION,
    /** The reason of a task's state. */
    REASON,
    /** What the end of a run meant for a trigger that waited for it. */
    CHAIN,
    /** The fate of an instant of a trigger. */
    FIRE,
    /** What became of a backfill. */
    BACKFILL,
    /** Why a task was given up. */
    DEAD_LETTER
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
