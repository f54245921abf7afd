package dev.belay.engine.port;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The leases of periodic jobs, on the database's time. */
public interface LeaseStore {

  /** How a run of a job ended. */
  enum Outcome {
    DONE,
    FAILED,

    /** This replica gave the lease up: it could not renew it, or it stops. */
    ABANDONED,

    /** Another replica has the lease. */
    LOST;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The answer to a replica that wants to run a job. */
  sealed interface Answer {}

  /**
   * @param takenFrom the replica that held the lease and did not finish
   */
  record Acquired(LeaseToken token, Optional<String> takenFrom) implements Answer {}

  /**
   * @param left until the job is due, or the lease of its holder ends
   * @param sinceDone since any replica last did the job
   */
  record NotDue(Duration left, Duration sinceDone) implements Answer {}

  /** Acquires the lease if the job is due and no replica holds it. */
  Answer acquire(String job, String holder, Duration period, Duration ttl);

  /**
   * Returns the time since any replica last did the job; empty when another replica has acquired
   * the lease.
   */
  Optional<Duration> renew(LeaseToken token);

  /**
   * Gives the lease up and sets when the job is due next.
   *
   * @return false when another replica has acquired the lease; nothing changed then
   */
  boolean finish(LeaseToken token, Duration period, Outcome outcome);
}
