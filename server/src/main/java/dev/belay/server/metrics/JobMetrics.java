package dev.belay.server.metrics;

import dev.belay.engine.lease.JobRunner;
import dev.belay.engine.port.LeaseStore.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.Stream;

/** The meters of the periodic jobs. Thread-safe. */
public final class JobMetrics {

  private static final Duration[] RUNS =
      Stream.of(10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final BelayMetrics metrics;

  public JobMetrics(BelayMetrics metrics) {
    this.metrics = metrics;
  }

  /** Shows the job from now on, also before its first run. */
  public void watch(JobRunner runner) {
    String job = runner.job().name();
    Stream.of(Outcome.values()).forEach(outcome -> runs(job, outcome));
    took(job);
    metrics.watch(Metric.JOB_LEASE_HELD, job, () -> runner.isHolding() ? 1 : 0);
    metrics.watch(Metric.JOB_DONE_AGE, job, () -> runner.sinceDone().toMillis() / 1000.0);
  }

  public void ran(String job, Outcome outcome, Duration took) {
    runs(job, outcome).increment();
    took(job).record(took);
  }

  private Counter runs(String job, Outcome outcome) {
    return Counter.builder(Metric.JOB_RUNS.text())
        .description(Metric.JOB_RUNS.help())
        .tags("job", job, "outcome", outcome.word())
        .register(metrics.registry());
  }

  private Timer took(String job) {
    return Timer.builder(Metric.JOB_RUN.text())
        .description(Metric.JOB_RUN.help())
        .tag(Metric.JOB_RUN.label(), job)
        .serviceLevelObjectives(RUNS)
        .register(metrics.registry());
  }
}
