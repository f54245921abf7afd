package dev.belay.domain.spec;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time that a task waits for. Exactly one is set. The store turns it into {@code not_before} by
 * its own clock.
 *
 * @param after counts from the transaction that lets the task wait
 */
public record DueTime(@Nullable Duration after, @Nullable Instant at) {

  public DueTime {
    if ((after == null) == (at == null)) {
      throw new IllegalArgumentException("exactly one of after and at must be set");
    }
  }

  public static DueTime after(Duration span) {
    return new DueTime(span, null);
  }

  public static DueTime at(Instant time) {
    return new DueTime(null, time);
  }
}
