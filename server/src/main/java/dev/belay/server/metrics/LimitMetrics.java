package dev.belay.server.metrics;

import dev.belay.domain.limit.Places.Held;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The meters of limits, and of tasks that wait for a worker. Thread-safe. */
public final class LimitMetrics {

  /** A series for each of many pools or tenants would fill the memory. */
  private static final int LIMITS_MAX = 200;

  private static final String NAME = "name";

  private final MultiGauge limits;
  private final MultiGauge held;
  private final MultiGauge waiting;

  LimitMetrics(BelayMetrics metrics) {
    this.limits = gauge(metrics, Metric.LIMIT_PLACES);
    this.held = gauge(metrics, Metric.LIMIT_PLACES_HELD);
    this.waiting = gauge(metrics, Metric.TASKS_WAITING);
    waiting(Map.of());
  }

  private static MultiGauge gauge(BelayMetrics metrics, Metric metric) {
    return MultiGauge.builder(metric.text())
        .description(metric.help())
        .register(metrics.registry());
  }

  /** Replaces what was known; none when this replica does not lead. */
  public void places(List<Held> places) {
    List<Held> named =
        places.stream()
            .sorted(Comparator.comparing(Held::kind).thenComparing(Held::name))
            .limit(LIMITS_MAX)
            .toList();
    limits.register(
        named.stream().map(one -> MultiGauge.Row.of(tags(one), one.limit())).toList(), true);
    held.register(
        named.stream().map(one -> MultiGauge.Row.of(tags(one), one.held())).toList(), true);
  }

  private static Tags tags(Held one) {
    return Tags.of(Metric.LIMIT_PLACES.label(), one.kind().word(), NAME, one.name());
  }

  /**
   * How many tasks are SCHEDULED.
   *
   * @param tasks by topic; empty when this replica does not lead
   */
  public void waiting(Map<String, Long> tasks) {
    Map<String, Long> labelled = new HashMap<>();
    labelled.put(Topics.NONE, 0L);
    var topics = new Topics(); // Of its own: a gauge must not use up the labels of counters.
    new TreeMap<>(tasks)
        .forEach(
            (topic, count) ->
                labelled.merge(topic.isEmpty() ? topic : topics.label(topic), count, Long::sum));
    waiting.register(
        labelled.entrySet().stream()
            .map(
                one ->
                    MultiGauge.Row.of(
                        Tags.of(Metric.TASKS_WAITING.label(), one.getKey()), one.getValue()))
            .toList(),
        true);
  }
}
