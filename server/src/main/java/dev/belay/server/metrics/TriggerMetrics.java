package dev.belay.server.metrics;

import dev.belay.engine.port.TriggerMeters;
import dev.belay.store.trigger.NewEvent;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The meters of events and chains. Thread-safe. */
public final class TriggerMetrics implements TriggerMeters {

  private static final List<String> OUTCOMES =
      List.of("fired", "coalesced", "waiting", "filtered", "skipped", "failed");

  private final BelayMetrics metrics;
  private final AtomicLong chains = new AtomicLong();
  private final AtomicLong events = new AtomicLong();

  public TriggerMetrics(BelayMetrics metrics) {
    this.metrics = metrics;
    Stream.of("fired", "skipped").forEach(outcome -> counter(Metric.CHAINS_FIRED, outcome));
    OUTCOMES.forEach(outcome -> counter(Metric.EVENTS_FIRED, outcome));
    Stream.of(NewEvent.Source.values()).forEach(source -> received(source, 0));
    metrics.watch(Metric.TRIGGERS_PENDING, "chain", chains::get);
    metrics.watch(Metric.TRIGGERS_PENDING, "event", events::get);
  }

  /** New events were stored. */
  public void received(NewEvent.Source source, int count) {
    counter(Metric.EVENTS_RECEIVED, source.name().toLowerCase(Locale.ROOT)).increment(count);
  }

  @Override
  public void chainsDecided(Map<String, Integer> outcomes) {
    outcomes.forEach((outcome, count) -> counter(Metric.CHAINS_FIRED, outcome).increment(count));
  }

  @Override
  public void eventsDecided(Map<String, Integer> outcomes) {
    outcomes.forEach((outcome, count) -> counter(Metric.EVENTS_FIRED, outcome).increment(count));
  }

  @Override
  public void undecided(long chainsNow, long eventsNow) {
    chains.set(chainsNow);
    events.set(eventsNow);
  }

  private Counter counter(Metric metric, String label) {
    return Counter.builder(metric.text())
        .description(metric.help())
        .tag(metric.label(), label)
        .register(metrics.registry());
  }
}
