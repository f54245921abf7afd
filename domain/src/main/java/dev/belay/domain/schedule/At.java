package dev.belay.domain.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Once. */
public record At(Instant instant) implements Recurrence {
  public At {
    instant = instant.truncatedTo(ChronoUnit.MICROS);
  }
}
