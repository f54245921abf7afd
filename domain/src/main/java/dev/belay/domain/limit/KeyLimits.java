package dev.belay.domain.limit;

import dev.belay.domain.limit.Limits.OfTenant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts what names a key, by the limit that it names. */
final class KeyLimits {

  private final Map<OfTenant, TreeMap<Integer, Integer>> counts = new HashMap<>();

  void add(OfTenant key, int limit, int count) {
    counts.compute(
        key,
        (same, before) -> {
          TreeMap<Integer, Integer> byLimit = before == null ? new TreeMap<>() : before;
          byLimit.merge(limit, count, (held, more) -> held + more == 0 ? null : held + more);
          return byLimit.isEmpty() ? null : byLimit;
        });
  }

  void clear() {
    counts.clear();
  }

  int count(OfTenant key) {
    TreeMap<Integer, Integer> byLimit = counts.get(key);
    return byLimit == null ? 0 : byLimit.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The smallest limit that anything names, at most this one. */
  int smallest(OfTenant key, int own) {
    TreeMap<Integer, Integer> byLimit = counts.get(key);
    return byLimit == null ? own : Math.min(own, byLimit.firstKey());
  }

  boolean hasSeveral(OfTenant key) {
    TreeMap<Integer, Integer> byLimit = counts.get(key);
    return byLimit != null && byLimit.size() > 1;
  }

  /** Whether this limit is the smallest of several. */
  boolean isSmallest(OfTenant key, int limit) {
    return hasSeveral(key) && smallest(key, Integer.MAX_VALUE) == limit;
  }
}
