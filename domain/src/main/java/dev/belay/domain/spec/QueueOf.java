package dev.belay.domain.spec;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The task queue of a task: the only place that builds one. */
public final class QueueOf {

  private QueueOf() {}

  /** Gives a key its value. */
  @FunctionalInterface
  public interface Texts<E extends Exception> {
    String of(Template key) throws E;
  }

  /** For a task of a workflow that is ready. */
  public static TaskQueue task(WorkflowSpec workflow, TaskSpec task, Texts<ExpressionFailed> texts)
      throws ExpressionFailed {
    return of(
        new Owner(workflow.tenant(), workflow.name()),
        task.queue(),
        task.labels(),
        task.policy(),
        key -> checked(key, texts.of(key)));
  }

  /** For a task without a run; its keys hold no expressions. */
  public static TaskQueue alone(
      String tenant, QueueSpec queue, Map<String, String> labels, RunPolicy policy) {
    return of(new Owner(tenant, null), queue, labels, policy, Template::text);
  }

  /** For a task without a run that only names its pool. */
  public static TaskQueue alone(String tenant, String pool, RunPolicy policy) {
    return alone(tenant, QueueSpec.inPool(pool), Map.of(), policy);
  }

  private record Owner(String tenant, @Nullable String workflow) {}

  private static <E extends Exception> TaskQueue of(
      Owner owner, QueueSpec queue, Map<String, String> labels, RunPolicy policy, Texts<E> texts)
      throws E {
    Map<String, String> constraints = new TreeMap<>(labels);
    constraints
        .keySet()
        .removeIf(label -> Placement.CONSTRAINT_PREFIXES.stream().noneMatch(label::startsWith));
    var placement =
        new Placement(
            queue.topic(),
            queue.pool(),
            queue.requires(),
            constraints,
            labels.get(Placement.PREFERRED_WORKER),
            queue.size(),
            policy.executionTimeout());
    KeyLimit limit = queue.concurrency();
    KeyRate rate = queue.rateLimit();
    return new TaskQueue(
        owner.tenant(),
        owner.workflow(),
        placement,
        limit == null
            ? null
            : new Concurrency(texts.of(limit.key()), limit.limit(), limit.onConflict()),
        rate == null ? null : new RateLimit(texts.of(rate.key()), rate.max(), rate.per()));
  }

  /** A key is stored with each task queue and shown to people. */
  private static String checked(Template key, String text) throws ExpressionFailed {
    if (text.isBlank()) {
      throw new ExpressionFailed("the key %s is empty".formatted(key.text()));
    }
    if (text.length() > QueueSpec.KEY_CHARS_MAX) {
      throw new ExpressionFailed(
          "the key %s has %d characters; the most is %d"
              .formatted(key.text(), text.length(), QueueSpec.KEY_CHARS_MAX));
    }
    return text;
  }
}
