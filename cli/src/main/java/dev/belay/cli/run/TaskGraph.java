package dev.belay.cli.run;

import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tasks of a workflow, each after its dependencies. */
final class TaskGraph {

  /** Deeper levels are drawn at this one: a chain of hundreds must still fit the screen. */
  private static final int DEPTH_SHOWN_MAX = 10;

  private final Map<String, List<String>> dependencies;
  private final List<Row> rows;

  /**
   * A task below the last of its dependencies, where a person looks for it.
   *
   * @param branch the lines that lead to it
   * @param others its other dependencies
   */
  record Row(String name, String branch, List<String> others) {
    Row {
      others = List.copyOf(others);
    }
  }

  private TaskGraph(Map<String, List<String>> dependencies) {
    this.dependencies = dependencies;
    this.rows = layout();
  }

  static TaskGraph of(WorkflowSpec spec) {
    var given = new LinkedHashMap<String, List<String>>();
    spec.tasks().forEach(task -> given.put(task.name(), task.dependsOn()));
    return of(given);
  }

  /** From a graph without cycles. */
  static TaskGraph of(Map<String, List<String>> given) {
    var missing = new HashMap<String, Integer>();
    var dependents = new HashMap<String, List<String>>();
    var ready = new ArrayDeque<String>();
    given.forEach(
        (name, needed) -> {
          missing.put(name, needed.size());
          needed.forEach(on -> dependents.computeIfAbsent(on, key -> new ArrayList<>()).add(name));
          if (needed.isEmpty()) {
            ready.add(name);
          }
        });
    var sorted = new LinkedHashMap<String, List<String>>();
    while (!ready.isEmpty()) {
      String name = ready.remove();
      sorted.put(name, given.getOrDefault(name, List.of()));
      for (var dependent : dependents.getOrDefault(name, List.of())) {
        if (missing.merge(dependent, -1, Integer::sum) == 0) {
          ready.add(dependent);
        }
      }
    }
    if (sorted.size() != given.size()) {
      throw new IllegalArgumentException("a cycle, or an unknown dependency");
    }
    return new TaskGraph(sorted);
  }

  int size() {
    return dependencies.size();
  }

  List<Row> rows() {
    return rows;
  }

  /** The largest sum of times along a path of dependencies. */
  Duration criticalPath(Function<String, Duration> timeOf) {
    var until = new HashMap<String, Duration>();
    var longest = Duration.ZERO;
    for (var task : dependencies.entrySet()) {
      var start = Duration.ZERO;
      for (var dependency : task.getValue()) {
        start = max(start, until.getOrDefault(dependency, Duration.ZERO));
      }
      var end = start.plus(timeOf.apply(task.getKey()));
      until.put(task.getKey(), end);
      longest = max(longest, end);
    }
    return longest;
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private List<Row> layout() {
    var position = new HashMap<String, Integer>();
    dependencies.keySet().forEach(name -> position.put(name, position.size()));
    var children = new LinkedHashMap<String, List<String>>();
    var roots = new ArrayList<String>();
    dependencies.forEach(
        (name, needed) -> {
          var parent = needed.stream().max(order(position));
          if (parent.isPresent()) {
            children.computeIfAbsent(parent.get(), key -> new ArrayList<>()).add(name);
          } else {
            roots.add(name);
          }
        });
    var laid = new ArrayList<Row>();
    // A stack instead of recursion: a chain may have 10,000 tasks.
    var stack = new ArrayList<Pending>();
    push(stack, roots, "", 0);
    while (!stack.isEmpty()) {
      var next = stack.removeLast();
      var below = children.getOrDefault(next.name, List.of());
      laid.add(new Row(next.name, next.branch(), others(next.name, position)));
      push(stack, below, next.below(), next.depth + 1);
    }
    return List.copyOf(laid);
  }

  private static Comparator<String> order(Map<String, Integer> position) {
    return Comparator.comparingInt(name -> position.getOrDefault(name, 0));
  }

  private List<String> others(String name, Map<String, Integer> position) {
    var needed = new ArrayList<>(dependencies.getOrDefault(name, List.of()));
    needed.sort(order(position));
    if (!needed.isEmpty()) {
      needed.removeLast();
    }
    return needed;
  }

  private static void push(List<Pending> stack, List<String> names, String prefix, int depth) {
    for (int i = names.size() - 1; i >= 0; i--) {
      stack.add(new Pending(names.get(i), prefix, depth, i == names.size() - 1));
    }
  }

  /** A task that waits to be drawn. */
  private record Pending(String name, String prefix, int depth, boolean last) {
    String branch() {
      return depth == 0 ? "" : prefix + (last ? "└─ " : "├─ ");
    }

    String below() {
      if (depth == 0 || depth >= DEPTH_SHOWN_MAX) {
        return prefix;
      }
      return prefix + (last ? "   " : "│  ");
    }
  }
}
