package dev.belay.domain.spec;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One task of a workflow, with defaults merged in.
 *
 * @param queue where it may run, and the limits that it shares
 * @param deadline how long after the start of its run it must have ended; null means none
 */
public record TaskSpec(
    String name,
    Action action,
    List<String> dependsOn,
    TriggerRule triggerRule,
    @Nullable Template when,
    Map<String, Template> env,
    RunPolicy policy,
    int priority,
    QueueSpec queue,
    Map<String, String> labels,
    @Nullable Duration deadline) {

  public static final int PRIORITY_MIN = 1;
  public static final int PRIORITY_MAX = 100;
  public static final int PRIORITY_DEFAULT = 50;
  public static final String POOL_DEFAULT = "default";

  public TaskSpec {
    dependsOn = List.copyOf(dependsOn);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** A task for any worker of a pool. */
  public TaskSpec(
      String name,
      Action action,
      List<String> dependsOn,
      TriggerRule triggerRule,
      @Nullable Template when,
      Map<String, Template> env,
      RunPolicy policy,
      int priority,
      String pool,
      Map<String, String> labels,
      @Nullable Duration deadline) {
    this(
        name,
        action,
        dependsOn,
        triggerRule,
        when,
        env,
        policy,
        priority,
        QueueSpec.inPool(pool),
        labels,
        deadline);
  }

  /** Null means any pool of its topic. */
  public @Nullable String pool() {
    return queue.pool();
  }
}
