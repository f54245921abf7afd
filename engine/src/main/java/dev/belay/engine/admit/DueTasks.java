package dev.belay.engine.admit;

import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;

/** PENDING tasks whose {@code not_before} has passed. */
@FunctionalInterface
public interface DueTasks {

  /** Passes at most {@code max} of them through admission. */
  Promoted promote(Epoch epoch, int max);

  /**
   * @param nextDue empty when no task waits for a time
   */
  record Promoted(int count, Optional<Duration> nextDue) {}
}
