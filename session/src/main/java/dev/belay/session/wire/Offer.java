package dev.belay.session.wire;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a worker offers to tasks, as its hello declares it.
 *
 * @param slots how many tasks it runs at once
 * @param capabilities what a task may require of it
 * @param resources what its tasks may use together
 */
public record Offer(
    List<String> pools,
    int slots,
    Map<String, String> labels,
    Set<String> capabilities,
    Resources resources) {

  /**
   * @param memoryBytes 0 when it is not declared
   * @param cpuMillis thousandths of a processor; 0 when they are not declared
   */
  public record Resources(long memoryBytes, int cpuMillis) {
    public static final Resources UNDECLARED = new Resources(0, 0);
  }

  public Offer {
    pools = List.copyOf(pools);
    labels = Map.copyOf(labels);
    // In order, so that the same offer is always the same message.
    capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
  }

  /** Without capabilities and declared resources, as an older agent. */
  public Offer(List<String> pools, int slots, Map<String, String> labels) {
    this(pools, slots, labels, Set.of(), Resources.UNDECLARED);
  }
}
