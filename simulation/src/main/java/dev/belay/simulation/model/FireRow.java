package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.schedule.DueInstants;
import dev.belay.domain.schedule.DueInstants.Decision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table fire. */
final class FireRow implements Cloneable {
  final FireKey key;
  Decision decision;
  @Nullable RunId run;
  Instant decidedAt;

  FireRow(FireKey key, Decision decision, @Nullable RunId run, Instant decidedAt) {
    this.key = key;
    this.decision = decision;
    this.run = run;
    this.decidedAt = decidedAt;
  }

  boolean isPaused() {
    String reason = decision.reason();
    return DueInstants.PAUSED.equals(reason) || DueInstants.TRIGGER_PAUSED.equals(reason);
  }

  FireRow copy() {
    try {
      return (FireRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
