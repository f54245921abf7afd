package dev.belay.simulation.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row of the table leadership. */
final class LeadershipRow implements Cloneable {
  long epoch;
  @Nullable String leader;
  Instant since = Instant.EPOCH;

  LeadershipRow() {}

  LeadershipRow copy() {
    try {
      return (LeadershipRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
