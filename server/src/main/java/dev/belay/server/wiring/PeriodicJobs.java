package dev.belay.server.wiring;

import dev.belay.engine.lease.JobMeters;
import dev.belay.engine.lease.JobRunner;
import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.LeaseStore.Outcome;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.JobMetrics;
import dev.belay.store.lease.PostgresLeases;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The periodic jobs of one replica, each with a loop, and the loop that renews their leases. */
final class PeriodicJobs implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PeriodicJobs.class);
  private static final Duration STOP_MAX = Duration.ofSeconds(1);

  private final Jdbi jdbi;
  private final BelayMetrics metrics;
  private final JobMetrics jobMetrics;
  private final List<JobRunner> runners = new ArrayList<>();
  private final List<Loop> loops = new ArrayList<>();
  private final Loop renewal;

  /** Uses the engine's connections: requests that wait for one must not delay a renewal. */
  PeriodicJobs(String name, Machine machine, Replica replica, List<PeriodicJob> jobs) {
    this.jdbi = replica.jdbi();
    this.metrics = replica.metrics();
    this.jobMetrics = new JobMetrics(metrics);
    var meters = new Meters();
    var leases = new PostgresLeases(jdbi);
    for (PeriodicJob job : jobs) {
      var runner = new JobRunner(job, name, leases, machine.ticker(), meters);
      jobMetrics.watch(runner);
      runners.add(runner);
      loops.add(replica.loops().make(job.name(), runner::runOnce, new Signal()));
    }
    this.renewal = replica.loops().make("lease_renewal", this::renew, new Signal());
  }

  private Duration renew() {
    return runners.stream()
        .map(JobRunner::renewOnce)
        .min(Duration::compareTo)
        .orElse(Duration.ofMinutes(1));
  }

  void start() {
    loops.forEach(Loop::start);
    renewal.start();
  }

  /** Hands over the jobs that it runs, if their current batches end soon. */
  @Override
  public void close() {
    for (int i = 0; i < loops.size(); i++) {
      if (loops.get(i).close(STOP_MAX)) {
        release(runners.get(i));
      }
    }
    renewal.close(STOP_MAX);
  }

  private static void release(JobRunner runner) {
    try {
      runner.release();
    } catch (RuntimeException failed) {
      log.atInfo()
          .addKeyValue("job", runner.job().name())
          .addKeyValue("why", failed.toString())
          .log("lease not given up; it ends by itself");
    }
  }

  private final class Meters implements JobMeters {

    @Override
    public void ran(String job, Outcome outcome, Duration took) {
      jobMetrics.ran(job, outcome, took);
    }

    @Override
    public void overdue(PeriodicJob job) {
      String detail =
          ("no replica has done the periodic job %s for 3 periods of %s; `belay info` shows who"
                  + " runs it, and the logs of the replicas why it does not finish")
              .formatted(job.name(), job.period());
      try {
        if (jdbi.inTransaction(handle -> Alerts.raise(handle, Alert.JOB_OVERDUE, detail))) {
          metrics.alerted(Alert.JOB_OVERDUE, 1);
        }
      } catch (RuntimeException unraised) {
        log.atWarn().addKeyValue("why", unraised.toString()).log("alert not raised");
      }
    }
  }
}
