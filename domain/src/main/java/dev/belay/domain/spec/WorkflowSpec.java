package dev.belay.domain.spec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A valid workflow: names are unique, dependencies exist, the graph has no cycle. Immutable; each
 * change creates a new version.
 *
 * @param triggers what starts its runs by itself, in the order of the file; names are unique
 * @param run limits of its runs
 * @param tasks in the order of the file
 */
public record WorkflowSpec(
    String tenant,
    String name,
    @Nullable String description,
    Map<String, ParamSpec> params,
    List<TriggerSpec> triggers,
    RunLimits run,
    List<TaskSpec> tasks) {

  public static final String DEFAULT_TENANT = "default";
  public static final int TASKS_MAX = 10_000;

  public WorkflowSpec {
    params = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(params));
    triggers = List.copyOf(triggers);
    tasks = List.copyOf(tasks);
  }
}
