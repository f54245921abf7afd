package dev.belay.domain.plan;

import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.WorkflowSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A workflow with its tasks in dependency order, computed once per version.
 *
 * @param ordered every task comes after its dependencies
 * @param upstream the distinct dependencies of each task, by its name
 * @param leaves the tasks that no other task depends on: they decide how the run ends
 */
public record Graph(
    WorkflowSpec spec,
    List<TaskSpec> ordered,
    Map<String, Set<String>> upstream,
    List<TaskSpec> leaves) {

  /**
   * The file validator rejects cycles. If one is stored anyway, planning fails with its name
   * instead of looping.
   */
  public static final class NotAGraph extends Exception {
    private static final long serialVersionUID = 1L;

    public NotAGraph(String message) {
      super(message);
    }
  }

  public static Graph of(WorkflowSpec spec) throws NotAGraph {
    Map<String, TaskSpec> byName = new LinkedHashMap<>();
    for (TaskSpec task : spec.tasks()) {
      if (byName.put(task.name(), task) != null) {
        throw new NotAGraph("task " + task.name() + " appears twice");
      }
    }
    Map<String, Integer> missing = new HashMap<>();
    Map<String, List<TaskSpec>> downstream = new HashMap<>();
    Map<String, Set<String>> upstream = new HashMap<>();
    for (TaskSpec task : spec.tasks()) {
      Set<String> needed = new LinkedHashSet<>(task.dependsOn());
      upstream.put(task.name(), needed);
      missing.put(task.name(), needed.size());
      for (String name : needed) {
        if (!byName.containsKey(name)) {
          throw new NotAGraph(
              "task " + task.name() + " depends on " + name + ", which is not there");
        }
        downstream.computeIfAbsent(name, any -> new ArrayList<>()).add(task);
      }
    }
    var ready = new ArrayDeque<TaskSpec>();
    spec.tasks().stream().filter(task -> task.dependsOn().isEmpty()).forEach(ready::add);
    var ordered = new ArrayList<TaskSpec>(spec.tasks().size());
    while (!ready.isEmpty()) {
      TaskSpec task = ready.poll();
      ordered.add(task);
      for (TaskSpec next : downstream.getOrDefault(task.name(), List.of())) {
        if (missing.merge(next.name(), -1, Integer::sum) == 0) {
          ready.add(next);
        }
      }
    }
    if (ordered.size() < spec.tasks().size()) {
      Set<String> stuck = new HashSet<>(byName.keySet());
      ordered.forEach(task -> stuck.remove(task.name()));
      throw new NotAGraph(
          "tasks depend on each other in a circle: " + stuck.stream().sorted().limit(20).toList());
    }
    List<TaskSpec> leaves =
        spec.tasks().stream().filter(task -> !downstream.containsKey(task.name())).toList();
    return new Graph(spec, List.copyOf(ordered), upstream, leaves);
  }

  Set<String> upstreamOf(TaskSpec task) {
    return upstream.getOrDefault(task.name(), Set.of());
  }
}
