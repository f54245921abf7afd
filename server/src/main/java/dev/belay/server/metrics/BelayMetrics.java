package dev.belay.server.metrics;

import static dev.belay.server.metrics.Metric.ALERTS;
import static dev.belay.server.metrics.Metric.BACKFILL_RUNS_CREATED;
import static dev.belay.server.metrics.Metric.DISPATCH_BATCH_SIZE;
import static dev.belay.server.metrics.Metric.DISPATCH_FAILED;
import static dev.belay.server.metrics.Metric.DISPATCH_LATENCY;
import static dev.belay.server.metrics.Metric.EXPRESSIONS_TOO_COSTLY;
import static dev.belay.server.metrics.Metric.HELLOS_REFUSED;
import static dev.belay.server.metrics.Metric.LOG_BYTES;
import static dev.belay.server.metrics.Metric.LOG_EVICTED;
import static dev.belay.server.metrics.Metric.LOG_LEFT_OUT;
import static dev.belay.server.metrics.Metric.LOG_REFUSED;
import static dev.belay.server.metrics.Metric.ORPHAN_REPLAYED;
import static dev.belay.server.metrics.Metric.READERS_CUT;
import static dev.belay.server.metrics.Metric.REAP_LEFT;
import static dev.belay.server.metrics.Metric.RECOVERIES_LATE;
import static dev.belay.server.metrics.Metric.RECOVERY_DETECTION;
import static dev.belay.server.metrics.Metric.REQUESTS_REFUSED;
import static dev.belay.server.metrics.Metric.RESULTS;
import static dev.belay.server.metrics.Metric.RESULTS_BATCH_SIZE;
import static dev.belay.server.metrics.Metric.RESULTS_WRITE;
import static dev.belay.server.metrics.Metric.RETENTION_BATCH;
import static dev.belay.server.metrics.Metric.RETENTION_FAILURES;
import static dev.belay.server.metrics.Metric.RETENTION_REMOVED;
import static dev.belay.server.metrics.Metric.ROSTER_DRIFT;
import static dev.belay.server.metrics.Metric.RUNS_COMPLETED;
import static dev.belay.server.metrics.Metric.RUN_PROMISES_BROKEN;
import static dev.belay.server.metrics.Metric.SCHEDULER_DECISIONS;
import static dev.belay.server.metrics.Metric.SCHEDULE_INSTANTS;
import static dev.belay.server.metrics.Metric.SCHEDULE_LATENESS;
import static dev.belay.server.metrics.Metric.STALE_TASKS;
import static dev.belay.server.metrics.Metric.TICK;
import static dev.belay.server.metrics.Metric.TICK_PHASE;
import static dev.belay.server.metrics.Metric.TICK_PHASE_FAILURES;
import static dev.belay.server.metrics.Metric.WORKERS_UNREAD;

import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.WorkPool;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Meters;
import dev.belay.server.logs.LogRefusal;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.recovery.Alert;
import dev.belay.store.retention.FinishedRows;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of one replica. */
public final class BelayMetrics implements Meters {

  private static final Duration[] LATENCIES =
      Stream.of(1, 2, 5, 10, 15, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  /** Buckets around the promised limits. */
  private static final Duration[] DETECTIONS =
      Stream.of(1, 2, 3, 5, 10, 15, 20, 30, 60, 90, 100, 130, 190, 300, 420)
          .map(Duration::ofSeconds)
          .toArray(Duration[]::new);

  private static final double[] BATCH_SIZES = {
    1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000
  };

  private static final String FIRED = "fired";

  /** The origin of a task. */
  public enum Source {
    SUBMIT,
    RUN
  }

  /** Why a request was refused before its handler saw it. */
  public enum RequestRefusal {
    BODIES_FULL,
    ANSWERS_FULL,
    UPLOAD_SLOW
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final TriggerMetrics triggers;
  private final Topics topics = new Topics();
  private final DeadLetterMetrics deadLetters;
  private final LimitMetrics limits;
  private final TaskMetrics tasks;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Timer dispatchLatency = timer(DISPATCH_LATENCY, "", LATENCIES);
  private final Timer tick = timer(TICK, "", LATENCIES);
  private final Map<String, Timer> phases = new ConcurrentHashMap<>();
  private final Timer resultsWrite = timer(RESULTS_WRITE, "", LATENCIES);
  private final Timer retentionBatch = timer(RETENTION_BATCH, "", LATENCIES);
  private final Timer scheduleLateness = timer(SCHEDULE_LATENESS, "", LATENCIES);
  private final AtomicReference<@Nullable Instant> nextDue = new AtomicReference<>();
  private final Map<RecoveryKind, Timer> detections = new ConcurrentHashMap<>();
  private final Map<TaskState, AtomicInteger> stale = new EnumMap<>(TaskState.class);
  private final Promises promises;
  private final List<DoubleSupplier> watched = new CopyOnWriteArrayList<>();
  private final DistributionSummary dispatchBatch = batches(DISPATCH_BATCH_SIZE);
  private final DistributionSummary resultsBatch = batches(RESULTS_BATCH_SIZE);

  public BelayMetrics() {
    this(Promises.DEFAULT);
  }

  public BelayMetrics(Promises promises) {
    this.promises = promises;
    Arrays.stream(RunState.values())
        .filter(RunState::isTerminal)
        .forEach(state -> counter(RUNS_COMPLETED, state.name()));
    Tick.PHASES.forEach(
        phase -> {
          counter(TICK_PHASE_FAILURES, phase);
          phase(phase);
        });
    Arrays.stream(Settlement.Answer.values()).forEach(answer -> counter(RESULTS, word(answer)));
    Arrays.stream(RecoveryKind.values()).forEach(this::declare);
    Arrays.stream(TaskState.values())
        .filter(state -> !state.isTerminal())
        .forEach(this::declareStale);
    counter(ORPHAN_REPLAYED, "");
    Stream.of("timeout", "deadline", "expect_by")
        .forEach(promise -> counter(RUN_PROMISES_BROKEN, promise));
    counter(EXPRESSIONS_TOO_COSTLY, "");
    Stream.of(RequestRefusal.values()).forEach(why -> counter(REQUESTS_REFUSED, word(why)));
    counter(READERS_CUT, "");
    counter(ALERTS, Alert.RECOVERY_LATE);
    counter(ALERTS, Alert.WORKER_KEY_REFUSED);
    counter(ALERTS, Alert.WORKER_SET_ASIDE);
    counter(ALERTS, Alert.WORKER_TRUSTED);
    counter(ALERTS, Alert.RETENTION_FAILED);
    counter(ALERTS, Alert.JOB_OVERDUE);
    counter(ALERTS, Alert.RUN_DEADLINE);
    counter(ALERTS, Alert.RUN_MISSING);
    counter(ALERTS, Alert.SCHEDULE_LATE);
    counter(ALERTS, AbortReason.HARD_CAP_EXCEEDED.word());
    Stream.of(FinishedRows.Kind.values()).forEach(kind -> counter(RETENTION_REMOVED, word(kind)));
    counter(RETENTION_FAILURES, "");
    Arrays.stream(Registration.HelloRefusal.values())
        .forEach(why -> counter(HELLOS_REFUSED, word(why)));
    counter(WORKERS_UNREAD, "");
    drifted(0, 0);
    Stream.of(FIRED, "skipped", "coalesced", "checked")
        .forEach(outcome -> counter(SCHEDULE_INSTANTS, outcome));
    watch(Metric.SCHEDULE_NEXT_DUE, this::nextDueSeconds);
    counter(LOG_BYTES, "");
    counter(LOG_LEFT_OUT, "");
    counter(LOG_EVICTED, "");
    Arrays.stream(LogRefusal.values()).forEach(refusal -> counter(LOG_REFUSED, refusal.word()));
    counter(DISPATCH_FAILED, "");
    this.triggers = new TriggerMetrics(this);
    this.deadLetters = new DeadLetterMetrics(this, topics);
    this.limits = new LimitMetrics(this);
    this.tasks = new TaskMetrics(this, topics);
  }

  /** The meters of tasks. */
  public TaskMetrics tasks() {
    return tasks;
  }

  /** The meters of limits. */
  public LimitMetrics limits() {
    return limits;
  }

  /** The meters of dead letters. */
  public DeadLetterMetrics deadLetters() {
    return deadLetters;
  }

  /** The meters of events and chains. */
  public TriggerMetrics triggers() {
    return triggers;
  }

  private void declare(RecoveryKind kind) {
    String decision = decision(kind.word());
    counter(SCHEDULER_DECISIONS, decision);
    counter(SCHEDULER_DECISIONS, decision + "_list_error");
    counter(SCHEDULER_DECISIONS, decision + "_reap_error");
    counter(SCHEDULER_DECISIONS, decision + "_panic");
    counter(REAP_LEFT, decision);
    counter(RECOVERIES_LATE, kind.word());
    detection(kind);
  }

  private void declareStale(TaskState state) {
    var tasks = new AtomicInteger();
    stale.put(state, tasks);
    Gauge.builder(STALE_TASKS.text(), tasks, AtomicInteger::get)
        .description(STALE_TASKS.help())
        .tags(tags(STALE_TASKS, state.name()))
        .register(registry);
  }

  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Registers a value that is read at each scrape. */
  public void watch(Metric metric, DoubleSupplier value) {
    watch(metric, "", value);
  }

  /** The same, of one value of its label. */
  public void watch(Metric metric, String label, DoubleSupplier value) {
    // The registry holds only a weak reference.
    watched.add(value);
    switch (metric.kind()) {
      case GAUGE ->
          Gauge.builder(metric.text(), value, DoubleSupplier::getAsDouble)
              .strongReference(true)
              .description(metric.help())
              .tags(tags(metric, label))
              .register(registry);
      case COUNTER ->
          FunctionCounter.builder(metric.text(), value, DoubleSupplier::getAsDouble)
              .description(metric.help())
              .tags(tags(metric, label))
              .register(registry);
      case TIMER, SUMMARY -> throw new IllegalArgumentException(metric + " has no one value");
    }
  }

  /** Registers the gauges of a named thread pool. */
  public void watchPool(String pool, Supplier<WorkPool.Gauge> gauge) {
    watch(Metric.POOL_WAITING, pool, () -> gauge.get().waiting());
    watch(Metric.POOL_BUSY, pool, () -> gauge.get().busy());
    watch(Metric.POOL_STRAY, pool, () -> gauge.get().stray());
    watch(Metric.POOL_REFUSED, pool, () -> gauge.get().refusals());
    watch(Metric.POOL_DONE, pool, () -> gauge.get().done());
    watch(Metric.POOL_WORKED, pool, () -> gauge.get().worked().toNanos() / 1e9);
  }

  public void refused(RequestRefusal why) {
    counter(REQUESTS_REFUSED, word(why)).increment();
  }

  public void readerCut() {
    counter(READERS_CUT, "").increment();
  }

  private DistributionSummary batches(Metric metric) {
    return DistributionSummary.builder(metric.text())
        .description(metric.help())
        .serviceLevelObjectives(BATCH_SIZES)
        .register(registry);
  }

  @Override
  public void happened(Effects effects) {
    tasks.happened(effects);
    effects
        .runsEnded()
        .forEach((state, runs) -> counter(RUNS_COMPLETED, state.name()).increment(runs));
    effects.recovered().forEach(this::recovered);
    effects.alerts().forEach(this::alerted);
    deadLetters.written(effects.deadLetters());
  }

  private void recovered(Recovered one) {
    Duration after = one.sinceLastSign();
    detection(one.kind()).record(after);
    if (after.compareTo(promises.of(one.kind())) > 0) {
      counter(RECOVERIES_LATE, one.kind().word()).increment();
      alerted(Alert.RECOVERY_LATE, 1);
    }
  }

  @Override
  public void promiseBroken(String promise, int runs) {
    counter(RUN_PROMISES_BROKEN, promise).increment(runs);
  }

  @Override
  public void tooCostly(int failures) {
    counter(EXPRESSIONS_TOO_COSTLY, "").increment(failures);
  }

  @Override
  public void reported(List<Settlement> settlements, Duration took) {
    resultsWrite.record(took);
    resultsBatch.record(settlements.size());
    for (Settlement settlement : settlements) {
      counter(RESULTS, word(settlement.answer())).increment();
      if (settlement.answer() == Settlement.Answer.APPLIED
          && settlement.event() instanceof WorkerEvent.Ended ended) {
        ended(ended.outcome());
      }
    }
  }

  private void ended(Outcome outcome) {
    if (outcome instanceof Outcome.Lost lost) {
      counter(SCHEDULER_DECISIONS, lost.reason()).increment();
    } else if (outcome instanceof Outcome.Refused refused && refused.isExecutorDown()) {
      counter(DISPATCH_FAILED, "").increment();
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
  public void dispatched(List<Dispatched> tasks) {
    dispatchBatch.record(tasks.size());
    this.tasks.dispatched(tasks);
    tasks.forEach(task -> dispatchLatency.record(task.waited()));
  }

  @Override
  public void reaped(String rule, int ended, int left) {
    counter(SCHEDULER_DECISIONS, decision(rule)).increment(ended);
    counter(REAP_LEFT, decision(rule)).increment(left);
    if (rule.equals(RecoveryKind.PENDING_REPLAYED.word())) {
      counter(ORPHAN_REPLAYED, "").increment(ended);
    }
  }

  @Override
  public void reapFailed(String rule, boolean panic) {
    counter(SCHEDULER_DECISIONS, decision(rule) + (panic ? "_panic" : "_reap_error")).increment();
  }

  @Override
  public void listFailed(String rule) {
    counter(SCHEDULER_DECISIONS, decision(rule) + "_list_error").increment();
  }

  @Override
  public void alerted(String kind, int alerts) {
    counter(ALERTS, kind).increment(alerts);
  }

  /** A read of the workers differed from what the leader had counted. */
  public void drifted(int unknown, int elsewhere) {
    counter(ROSTER_DRIFT, "unknown").increment(unknown);
    counter(ROSTER_DRIFT, "elsewhere").increment(elsewhere);
  }

  public void helloRefused(Registration.HelloRefusal why) {
    counter(HELLOS_REFUSED, word(why)).increment();
  }

  /** Counts a worker whose stream was cut because it did not read. */
  public void workerUnread() {
    counter(WORKERS_UNREAD, "").increment();
  }

  @Override
  public void stale(Map<TaskState, Integer> tasks) {
    stale.forEach((state, gauge) -> gauge.set(tasks.getOrDefault(state, 0)));
  }

  @Override
  public void decided(String outcome, Duration late) {
    counter(SCHEDULE_INSTANTS, outcome).increment();
    if (outcome.equals(FIRED)) {
      scheduleLateness.record(late.isNegative() ? Duration.ZERO : late);
    }
  }

  @Override
  public void nextDue(@Nullable Instant due) {
    nextDue.set(due);
  }

  private double nextDueSeconds() {
    Instant due = nextDue.get();
    return due == null ? 0 : due.toEpochMilli() / 1e3;
  }

  void backfillRunsCreated(int runs) {
    counter(BACKFILL_RUNS_CREATED, "").increment(runs);
  }

  void bulkItems(Metric metric, String kind, int items) {
    counter(metric, kind).increment(items);
  }

  public void logStored(long bytes) {
    counter(LOG_BYTES, "").increment((double) bytes);
  }

  public void logRefused(LogRefusal refusal) {
    counter(LOG_REFUSED, refusal.word()).increment();
  }

  public void logLeftOut(long bytes) {
    counter(LOG_LEFT_OUT, "").increment((double) bytes);
  }

  public void logsEvicted(int logs) {
    counter(LOG_EVICTED, "").increment(logs);
  }

  public void removed(FinishedRows.Kind kind, int rows) {
    counter(RETENTION_REMOVED, word(kind)).increment(rows);
  }

  public void retentionStep(Duration took) {
    retentionBatch.record(took);
  }

  public void retentionFailed() {
    counter(RETENTION_FAILURES, "").increment();
  }

  /** Counts a rule under its visible reason; an orphan has its own name. */
  private static String decision(String rule) {
    return RecoveryKind.of(rule)
        .map(kind -> kind == RecoveryKind.ORPHAN_RUN ? "orphan_reaped" : kind.reason())
        .orElse(rule);
  }

  private Timer detection(RecoveryKind kind) {
    return detections.computeIfAbsent(
        kind, found -> timer(RECOVERY_DETECTION, found.word(), DETECTIONS));
  }

  private Timer phase(String phase) {
    return phases.computeIfAbsent(phase, name -> timer(TICK_PHASE, name, LATENCIES));
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

  private Timer timer(Metric metric, String label, Duration[] buckets) {
    return Timer.builder(metric.text())
        .description(metric.help())
        .tags(tags(metric, label))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  private static Tags tags(Metric metric, String label) {
    return metric.label().isEmpty() ? Tags.empty() : Tags.of(metric.label(), label);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
