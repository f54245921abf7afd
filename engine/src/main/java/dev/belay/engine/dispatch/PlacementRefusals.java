package dev.belay.engine.dispatch;

import dev.belay.domain.limit.LimitKind;
import dev.belay.domain.routing.Refusal;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * How often the dispatcher found that the tasks of a task queue could not start, by reason: the
 * same words as those of {@code waiting}. Thread-safe.
 */
public final class PlacementRefusals {

  private final Map<String, LongAdder> counts = counts();

  private static Map<String, LongAdder> counts() {
    Map<String, LongAdder> counts = new TreeMap<>();
    Stream.concat(
            Stream.of(Refusal.values()).map(Refusal::word),
            Stream.of(LimitKind.values()).map(LimitKind::word))
        .forEach(reason -> counts.put(reason, new LongAdder()));
    return Collections.unmodifiableMap(counts);
  }

  void add(String reason) {
    LongAdder count = counts.get(reason);
    if (count == null) {
      throw new IllegalArgumentException(reason);
    }
    count.increment();
  }

  public Set<String> reasons() {
    return counts.keySet();
  }

  public long count(String reason) {
    LongAdder count = counts.get(reason);
    return count == null ? 0 : count.sum();
  }
}
