package dev.belay.server.metrics;

import static dev.belay.server.metrics.Metric.DISPATCH_LATENCY;
import static dev.belay.server.metrics.Metric.JOBS_COMPLETED;
import static dev.belay.server.metrics.Metric.JOBS_DISPATCHED;
import static dev.belay.server.metrics.Metric.JOBS_RECEIVED;
import static dev.belay.server.metrics.Metric.RESULTS;
import static dev.belay.server.metrics.Metric.RESULTS_BATCH_SIZE;
import static dev.belay.server.metrics.Metric.RESULTS_WRITE;
import static dev.belay.server.metrics.Metric.RUNS_COMPLETED;
import static dev.belay.server.metrics.Metric.SCHEDULER_DECISIONS;
import static dev.belay.server.metrics.Metric.TICK;
import static dev.belay.server.metrics.Metric.TICK_PHASE;
import static dev.belay.server.metrics.Metric.TICK_PHASE_FAILURES;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ResultStore;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/** The meters of one replica. */
public final class BelayMetrics implements Meters {

  private static final Duration[] LATENCIES =
      Stream.of(1, 2, 5, 10, 15, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  /** Who made a task. */
  public enum Source {
    SUBMIT,
    RUN
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Timer dispatchLatency = timer(DISPATCH_LATENCY, "");
  private final Timer tick = timer(TICK, "");
  private final Map<String, Timer> phases = new ConcurrentHashMap<>();
  private final Timer resultsWrite = timer(RESULTS_WRITE, "");
  private final DistributionSummary resultsBatch =
      DistributionSummary.builder(RESULTS_BATCH_SIZE.text())
          .description(RESULTS_BATCH_SIZE.help())
          .register(registry);

  public BelayMetrics() {
    Stream.of(Source.values()).forEach(source -> counter(JOBS_RECEIVED, word(source)));
    counter(JOBS_DISPATCHED, "");
    Arrays.stream(TaskState.values())
        .filter(TaskState::isTerminal)
        .forEach(state -> counter(JOBS_COMPLETED, state.name()));
    Arrays.stream(RunState.values())
        .filter(RunState::isTerminal)
        .forEach(state -> counter(RUNS_COMPLETED, state.name()));
    Tick.PHASES.forEach(
        phase -> {
          counter(TICK_PHASE_FAILURES, phase);
          phase(phase);
        });
    Arrays.stream(Settlement.Answer.values()).forEach(answer -> counter(RESULTS, word(answer)));
    List.of("worker_restarted", "not_reported")
        .forEach(decision -> counter(SCHEDULER_DECISIONS, decision));
  }

  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** The values of something that is asked when Prometheus asks. */
  public void watch(Metric metric, DoubleSupplier value) {
    switch (metric.kind()) {
      case GAUGE ->
          Gauge.builder(metric.text(), value, DoubleSupplier::getAsDouble)
              .strongReference(true)
              .description(metric.help())
              .register(registry);
      case COUNTER ->
          FunctionCounter.builder(metric.text(), value, DoubleSupplier::getAsDouble)
              .description(metric.help())
              .register(registry);
      case TIMER, SUMMARY -> throw new IllegalArgumentException(metric + " has no one value");
    }
  }

  public void received(Source source, int tasks) {
    counter(JOBS_RECEIVED, word(source)).increment(tasks);
  }

  public void completed(TaskState state, int tasks) {
    counter(JOBS_COMPLETED, state.name()).increment(tasks);
  }

  public void runCompleted(String state) {
    counter(RUNS_COMPLETED, state).increment();
  }

  void resultsWritten(ResultStore.Outcome outcome, Duration took) {
    resultsWrite.record(took);
    resultsBatch.record(outcome.settlements().size());
    outcome.ended().forEach(this::completed);
    for (Settlement settlement : outcome.settlements()) {
      counter(RESULTS, word(settlement.answer())).increment();
      if (settlement.answer() == Settlement.Answer.APPLIED
          && settlement.event() instanceof WorkerEvent.Lost lost) {
        counter(SCHEDULER_DECISIONS, lost.reason()).increment();
      }
    }
  }

  @Override
  public void ticked(Duration took) {
    tick.record(took);
  }

  @Override
  public void phaseDone(String phase, Duration took, boolean failed) {
    phase(phase).record(took);
    if (failed) {
      counter(TICK_PHASE_FAILURES, phase).increment();
    }
  }

  @Override
  public void dispatched(List<Duration> waited) {
    counter(JOBS_DISPATCHED, "").increment(waited.size());
    waited.forEach(dispatchLatency::record);
  }

  private Timer phase(String phase) {
    return phases.computeIfAbsent(phase, name -> timer(TICK_PHASE, name));
  }

  private Counter counter(Metric metric, String label) {
    return counters.computeIfAbsent(
        metric.text() + ' ' + label,
        key ->
            Counter.builder(metric.text())
                .description(metric.help())
                .tags(tags(metric, label))
                .register(registry));
  }

  private Timer timer(Metric metric, String label) {
    return Timer.builder(metric.text())
        .description(metric.help())
        .tags(tags(metric, label))
        .serviceLevelObjectives(LATENCIES)
        .register(registry);
  }

  private static Tags tags(Metric metric, String label) {
    return metric.label().isEmpty() ? Tags.empty() : Tags.of(metric.label(), label);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
