package dev.belay.engine.admit;

import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;

/** The PENDING tasks whose time has come. */
@FunctionalInterface
public interface DueTasks {

  /** Has them admitted, at most so many. */
  Promoted promote(Epoch epoch, int max);

  /**
   * @param nextDue empty when no task waits for a time
   */
  record Promoted(int count, Optional<Duration> nextDue) {}
}
