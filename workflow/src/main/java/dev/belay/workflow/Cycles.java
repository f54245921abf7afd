package dev.belay.workflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Finds cycles of dependencies. It does not recurse, because chains may be very long. */
final class Cycles {

  private static final int SHOWN_NAMES_MAX = 20;

  private enum Seen {
    OPEN,
    DONE
  }

  private final Map<String, List<Value.Text>> dependencies;
  private final BiConsumer<Value.Text, String> found;
  private final Map<String, Seen> seen = new HashMap<>();
  private final List<String> path = new ArrayList<>();
  private final Map<String, Integer> placeInPath = new HashMap<>();

  private Cycles(Map<String, List<Value.Text>> dependencies, BiConsumer<Value.Text, String> found) {
    this.dependencies = dependencies;
    this.found = found;
  }

  /**
   * Calls {@code found} with the dependency that closes a cycle and the path {@code a -> b -> a}.
   */
  static void find(
      Map<String, List<Value.Text>> dependencies, BiConsumer<Value.Text, String> found) {
    Cycles cycles = new Cycles(dependencies, found);
    dependencies.keySet().forEach(cycles::visit);
  }

  private void visit(String start) {
    if (seen.containsKey(start)) {
      return;
    }
    Deque<Iterator<Value.Text>> open = new ArrayDeque<>();
    enter(start, open);
    while (!open.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        leave();
        continue;
      }
      Value.Text next = open.peek().next();
      Seen before = seen.get(next.text());
      if (before == null) {
        enter(next.text(), open);
      } else if (before == Seen.OPEN) {
        int from = placeInPath.getOrDefault(next.text(), 0);
        found.accept(next, shown(path.subList(from, path.size())));
      }
    }
  }

  private void enter(String task, Deque<Iterator<Value.Text>> open) {
    seen.put(task, Seen.OPEN);
    placeInPath.put(task, path.size());
    path.add(task);
    open.push(dependencies.getOrDefault(task, List.of()).iterator());
  }

  private void leave() {
    String task = path.removeLast();
    placeInPath.remove(task);
    seen.put(task, Seen.DONE);
  }

  private static String shown(List<String> cycle) {
    String first = cycle.getFirst();
    if (cycle.size() <= SHOWN_NAMES_MAX) {
      return String.join(" -> ", cycle) + " -> " + first;
    }
    return "%s -> ... (%d more) -> %s"
        .formatted(
            String.join(" -> ", cycle.subList(0, SHOWN_NAMES_MAX)),
            cycle.size() - SHOWN_NAMES_MAX,
            first);
  }
}
