package dev.belay.engine.lease;

import dev.belay.engine.port.LeaseStore.Outcome;
import java.time.Duration;

/** Hears what happens to the periodic jobs. Thread-safe. */
public interface JobMeters {

  /** A run on this replica ended. */
  void ran(String job, Outcome outcome, Duration took);

  /** No replica has done the job for several periods. Called at each look; must not throw. */
  void overdue(PeriodicJob job);
}
