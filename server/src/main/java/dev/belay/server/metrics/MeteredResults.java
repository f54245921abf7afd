package dev.belay.server.metrics;

import dev.belay.engine.port.ResultStore;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** Counts and times what is written. */
public record MeteredResults(ResultStore store, BelayMetrics metrics, LongSupplier ticker)
    implements ResultStore {

  @Override
  public Outcome apply(List<WorkerEvent> events) {
    long begun = ticker.getAsLong();
    Outcome outcome = store.apply(events);
    metrics.resultsWritten(outcome, Duration.ofNanos(ticker.getAsLong() - begun));
    return outcome;
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return store.isAway(failure);
  }
}
