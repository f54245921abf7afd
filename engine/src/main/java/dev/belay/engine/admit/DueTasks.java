package dev.belay.engine.admit;

import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;

/** The timers: tasks whose {@code not_before} has passed. */
@FunctionalInterface
public interface DueTasks {

  /** Passes at most {@code max} of them through admission, or ends those that only waited. */
  Promoted promote(Epoch epoch, int max);

  /**
   * @param nextDue empty when no task waits for a time
   * @param marked a run was marked, because a task of it ended
   */
  record Promoted(int count, Optional<Duration> nextDue, boolean marked) {
    public Promoted(int count, Optional<Duration> nextDue) {
      this(count, nextDue, false);
    }
  }
}
