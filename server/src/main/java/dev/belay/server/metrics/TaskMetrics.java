package dev.belay.server.metrics;

import dev.belay.domain.system.IntakeCount;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Meters.Dispatched;
import dev.belay.server.metrics.BelayMetrics.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Counts tasks from their submit to their end, by topic. Thread-safe. */
public final class TaskMetrics {

  private static final String TOPIC = "topic";

  private final BelayMetrics metrics;
  private final Topics topics;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private volatile Predicate<String> isDeclared = topic -> true;

  TaskMetrics(BelayMetrics metrics, Topics topics) {
    this.metrics = metrics;
    this.topics = topics;
    Stream.of(Source.values()).forEach(source -> received(source, Topics.NONE));
    Stream.of(IntakeCount.Limit.values()).forEach(this::ofLimit);
    Arrays.stream(TaskState.values())
        .filter(TaskState::isTerminal)
        .forEach(state -> completed(state, Topics.NONE));
    dispatched(Topics.NONE);
  }

  /**
   * @param byTopic of these tasks, those that have a topic
   */
  public void received(Source source, int tasks, Map<String, Integer> byTopic) {
    int plain = tasks - byTopic.values().stream().mapToInt(Integer::intValue).sum();
    received(source, Topics.NONE).increment(Math.max(0, plain));
    byTopic.forEach((topic, count) -> received(source, topics.label(topic)).increment(count));
  }

  /** A limit of a tenant refused a submit. */
  public void limited(IntakeCount.Limit limit) {
    ofLimit(limit).increment();
  }

  void dispatched(List<Dispatched> tasks) {
    tasks.forEach(task -> dispatched(topics.label(task.topic())).increment());
  }

  /** Tasks of runs whose topic is not declared share a label. */
  public void declaredTopics(Predicate<String> isDeclaredNow) {
    isDeclared = isDeclaredNow;
  }

  void happened(Effects effects) {
    Map<String, Integer> created = new HashMap<>();
    effects
        .topicsCreated()
        .forEach(
            (topic, tasks) ->
                created.merge(isDeclared.test(topic) ? topic : Topics.OTHER, tasks, Integer::sum));
    received(Source.RUN, effects.created(), created);
    Map<TaskState, Integer> plain = new HashMap<>(effects.tasksEnded());
    effects
        .topicsEnded()
        .forEach(
            (topic, states) ->
                states.forEach(
                    (state, tasks) -> {
                      plain.merge(state, -tasks, Integer::sum);
                      completed(state, topics.label(topic)).increment(tasks);
                    }));
    plain.forEach((state, tasks) -> completed(state, Topics.NONE).increment(tasks));
  }

  private Counter received(Source source, String topic) {
    return counter(Metric.TASKS_RECEIVED, word(source), Tags.of(TOPIC, topic));
  }

  private Counter dispatched(String topic) {
    return counter(Metric.TASKS_DISPATCHED, topic, Tags.empty());
  }

  private Counter completed(TaskState state, String topic) {
    return counter(Metric.TASKS_COMPLETED, state.name(), Tags.of(TOPIC, topic));
  }

  private Counter ofLimit(IntakeCount.Limit limit) {
    return counter(Metric.SUBMITS_LIMITED, word(limit), Tags.empty());
  }

  private Counter counter(Metric metric, String label, Tags more) {
    Tags tags = Tags.of(metric.label(), label).and(more);
    return counters.computeIfAbsent(
        metric.text() + tags,
        key ->
            Counter.builder(metric.text())
                .description(metric.help())
                .tags(tags)
                .register(metrics.registry()));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
