package dev.belay.server.metrics;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.engine.port.DeadLettered;
import io.micrometer.core.instrument.Counter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The meters of dead letters. Thread-safe. */
public final class DeadLetterMetrics {

  private static final String TOPIC = "topic";

  private final BelayMetrics metrics;
  private final Topics topics;
  private final Map<DeadLetterReason, AtomicLong> open = new EnumMap<>(DeadLetterReason.class);

  DeadLetterMetrics(BelayMetrics metrics, Topics topics) {
    this.metrics = metrics;
    this.topics = topics;
    for (DeadLetterReason reason : DeadLetterReason.values()) {
      counter(reason, "");
      var letters = new AtomicLong();
      open.put(reason, letters);
      metrics.watch(Metric.DEAD_LETTERS_OPEN, reason.word(), letters::get);
    }
  }

  void written(List<DeadLettered> letters) {
    letters.forEach(letter -> counter(letter.reason(), label(letter)).increment());
  }

  /** Where no pool is mapped, the topic may be a typing error: it takes no label from others. */
  private String label(DeadLettered letter) {
    return letter.reason() == DeadLetterReason.NO_POOL_MAPPING
        ? topics.labelIfKnown(letter.topic())
        : topics.label(letter.topic());
  }

  private Counter counter(DeadLetterReason reason, String topic) {
    return Counter.builder(Metric.DEAD_LETTERS.text())
        .description(Metric.DEAD_LETTERS.help())
        .tag(Metric.DEAD_LETTERS.label(), reason.word())
        .tag(TOPIC, topic)
        .register(metrics.registry());
  }

  /** How many nobody has retried, by reason; empty when this replica does not lead. */
  public void open(Map<String, Long> letters) {
    open.forEach((reason, gauge) -> gauge.set(letters.getOrDefault(reason.word(), 0L)));
  }
}
