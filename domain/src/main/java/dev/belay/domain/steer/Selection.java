package dev.belay.domain.steer;

import dev.belay.domain.plan.Graph;
import dev.belay.domain.spec.TaskSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tasks of a run that a request is about, besides the one that it names.
 *
 * @param upstream everything that the task depends on, directly or not
 * @param downstream everything that depends on the task, directly or not
 */
public record Selection(boolean upstream, boolean downstream) {

  public static final Selection DOWNSTREAM = new Selection(false, true);

  /** The names of the selected tasks, the task itself among them, dependencies first. */
  public Set<String> of(Graph graph, String task) {
    Set<String> wanted = new HashSet<>();
    wanted.add(task);
    if (upstream) {
      wanted.addAll(upstreamOf(graph, task));
    }
    if (downstream) {
      wanted.addAll(downstreamOf(graph, Set.of(task)));
    }
    Set<String> ordered = new LinkedHashSet<>();
    graph.ordered().stream().map(TaskSpec::name).filter(wanted::contains).forEach(ordered::add);
    return ordered;
  }

  private static Set<String> upstreamOf(Graph graph, String task) {
    Set<String> found = new HashSet<>(Set.of(task));
    for (TaskSpec each : graph.ordered().reversed()) {
      if (found.contains(each.name())) {
        found.addAll(dependencies(graph, each));
      }
    }
    return found;
  }

  private static Set<String> downstreamOf(Graph graph, Set<String> tasks) {
    Set<String> found = new HashSet<>(tasks);
    for (TaskSpec each : graph.ordered()) {
      if (dependencies(graph, each).stream().anyMatch(found::contains)) {
        found.add(each.name());
      }
    }
    return found;
  }

  private static Set<String> dependencies(Graph graph, TaskSpec task) {
    return graph.upstream().getOrDefault(task.name(), Set.of());
  }

  /** Everything among these tasks that depends on one of {@code before}, and those themselves. */
  public static List<RunTask> after(Graph graph, List<RunTask> before, List<RunTask> tasks) {
    Set<String> names = before.stream().map(RunTask::name).collect(Collectors.toSet());
    Set<String> found = downstreamOf(graph, names);
    return tasks.stream().filter(task -> found.contains(task.name())).toList();
  }

  /** The selected ones among these tasks, dependencies first. */
  public List<RunTask> of(Graph graph, RunTask task, List<RunTask> tasks) {
    Map<String, RunTask> byName = new HashMap<>();
    tasks.forEach(each -> byName.put(each.name(), each));
    return of(graph, task.name()).stream().map(byName::get).filter(Objects::nonNull).toList();
  }
}
