package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;
import java.time.Instant;

/** The primary key of the table fire. */
record FireKey(TriggerId trigger, Instant at) implements Comparable<FireKey> {
  @Override
  public int compareTo(FireKey other) {
    int byTrigger = trigger.compareTo(other.trigger);
    return byTrigger != 0 ? byTrigger : at.compareTo(other.at);
  }
}
