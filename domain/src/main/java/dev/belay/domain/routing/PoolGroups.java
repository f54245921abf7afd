package dev.belay.domain.routing;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pools that share workers, directly or through others. Tasks of different groups never compete for
 * a worker.
 */
final class PoolGroups {

  /** Towards the name of the group, which is its first pool in order. */
  private final Map<String, String> next = new HashMap<>();

  private final Map<String, Set<String>> members = new HashMap<>();

  private PoolGroups() {}

  /**
   * @param shared pools that belong together
   */
  static PoolGroups of(Collection<? extends Collection<String>> shared) {
    PoolGroups groups = new PoolGroups();
    shared.forEach(pools -> pools.forEach(pool -> groups.join(pools.iterator().next(), pool)));
    groups.next.keySet().forEach(pool -> groups.memberOf(groups.root(pool)).add(pool));
    return groups;
  }

  /** The group of pools that are known to belong together. */
  String of(List<String> pools) {
    return pools.isEmpty() ? "" : root(pools.getFirst());
  }

  /** The pools of a group. */
  Set<String> members(String group) {
    return members.getOrDefault(group, Set.of(group));
  }

  private Set<String> memberOf(String group) {
    return members.computeIfAbsent(group, any -> new TreeSet<>(Set.of(group)));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolGroups groups && members.equals(groups.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  private void join(String one, String other) {
    String first = root(one);
    String second = root(other);
    if (first.compareTo(second) < 0) {
      next.put(second, first);
    } else if (first.compareTo(second) > 0) {
      next.put(first, second);
    }
  }

  private String root(String pool) {
    String root = pool;
    for (String up = next.get(root); up != null; up = next.get(root)) {
      root = up;
    }
    return root;
  }
}
