package dev.belay.engine.admit;

import dev.belay.domain.id.QueueId;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The timers: tasks whose {@code not_before} has passed. */
@FunctionalInterface
public interface DueTasks {

  /** Passes at most {@code max} of them through admission, or ends those that only waited. */
  Promoted promote(Epoch epoch, int max);

  /**
   * @param nextDue empty when no task waits for a time
   * @param marked a run was marked, because a task of it ended
   * @param queues in which tasks are SCHEDULED now
   */
  record Promoted(int count, Optional<Duration> nextDue, boolean marked, Set<QueueId> queues) {

    /** No time has come. */
    public static Promoted none(Optional<Duration> nextDue) {
      return new Promoted(0, nextDue, false, Set.of());
    }
  }
}
