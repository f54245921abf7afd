package dev.belay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.engine.lease.JobMeters;
import dev.belay.engine.lease.JobRunner;
import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.port.LeaseStore;
import dev.belay.engine.port.LeaseToken;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobMetricsTest {

  private static final LeaseStore NO_LEASES =
      new LeaseStore() {
        @Override
        public Answer acquire(String job, String holder, Duration period, Duration ttl) {
          return new NotDue(period, Duration.ZERO);
        }

        @Override
        public Optional<Duration> renew(LeaseToken token) {
          return Optional.empty();
        }

        @Override
        public boolean finish(LeaseToken token, Duration period, Outcome outcome) {
          return false;
        }
      };

  private static final JobMeters QUIET =
      new JobMeters() {
        @Override
        public void ran(String job, LeaseStore.Outcome outcome, Duration took) {}

        @Override
        public void overdue(PeriodicJob job) {}
      };

  @Test
  void runs_of_periodic_jobs_are_counted_by_outcome_also_before_the_first() {
    var metrics = new BelayMetrics();
    var jobs = new JobMetrics(metrics);
    var hour = Duration.ofHours(1);
    var job = new PeriodicJob("clean", hour, hour, token -> Optional.empty());
    jobs.watch(new JobRunner(job, "a", NO_LEASES, () -> 0, QUIET));
    jobs.ran("clean", LeaseStore.Outcome.ABANDONED, Duration.ofSeconds(2));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_job_runs_total{job=\"clean\",outcome=\"abandoned\"} 1.0",
            "belay_job_runs_total{job=\"clean\",outcome=\"done\"} 0.0",
            "belay_job_runs_total{job=\"clean\",outcome=\"lost\"} 0.0",
            "belay_job_run_seconds_sum{job=\"clean\"} 2.0",
            "belay_job_lease_held{job=\"clean\"} 0.0",
            "belay_job_done_age_seconds{job=\"clean\"} 0.0");
  }
}
