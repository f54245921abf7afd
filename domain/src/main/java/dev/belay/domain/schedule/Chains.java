package dev.belay.domain.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Workflows whose ends start other workflows. */
public final class Chains {

  private final Map<String, Set<String>> startedBy;
  private final Set<String> done = new HashSet<>();
  private final List<String> path = new ArrayList<>();

  private Chains(Map<String, ? extends Set<String>> startedBy) {
    this.startedBy = new TreeMap<>(startedBy);
  }

  /**
   * Workflows that start each other in a circle, the first also as the last: a, b, a. Equal chains
   * have the same answer. It does not recurse, because chains may be long.
   *
   * @param startedBy for each workflow, those whose end starts it
   */
  public static Optional<List<String>> circle(Map<String, ? extends Set<String>> startedBy) {
    var chains = new Chains(startedBy);
    for (String workflow : chains.startedBy.keySet()) {
      var circle = chains.circleBehind(workflow);
      if (circle.isPresent()) {
        return circle;
      }
    }
    return Optional.empty();
  }

  private Optional<List<String>> circleBehind(String workflow) {
    Deque<Iterator<String>> open = new ArrayDeque<>();
    Set<String> onPath = new HashSet<>();
    enter(workflow, open, onPath);
    while (!open.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        String left = path.removeLast();
        onPath.remove(left);
        done.add(left);
        continue;
      }
      String upstream = open.peek().next();
      if (onPath.contains(upstream)) {
        return Optional.of(circleFrom(upstream));
      }
      enter(upstream, open, onPath);
    }
    return Optional.empty();
  }

  private void enter(String workflow, Deque<Iterator<String>> open, Set<String> onPath) {
    if (!done.contains(workflow)) {
      path.add(workflow);
      onPath.add(workflow);
      open.push(new TreeSet<>(startedBy.getOrDefault(workflow, Set.of())).iterator());
    }
  }

  /** The path goes from a workflow to those that start it; people read it the other way round. */
  private List<String> circleFrom(String workflow) {
    List<String> circle = new ArrayList<>(path.subList(path.indexOf(workflow), path.size()));
    circle.add(workflow);
    return circle.reversed();
  }
}
