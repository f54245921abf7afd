package dev.belay.engine.lease;

import dev.belay.engine.port.LeaseToken;
import java.time.Duration;
import java.util.Optional;

/**
 * Work that the replicas do together once a period.
 *
 * @param ttl another replica takes the job over this long after the last renewal
 */
public record PeriodicJob(String name, Duration period, Duration ttl, Work work) {

  /** The batches of a job. One thread calls it. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does one batch in a transaction that compares the token. A token that it has not seen before
     * begins a new run.
     *
     * @return the pause before the next batch; empty when the run is complete
     * @throws dev.belay.engine.port.LeaseLost when the lease is over
     */
    Optional<Duration> step(LeaseToken token);
  }
}
