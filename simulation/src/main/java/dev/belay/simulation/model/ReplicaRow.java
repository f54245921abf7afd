package dev.belay.simulation.model;

import java.time.Instant;

/** A row of the table replica. */
final class ReplicaRow implements Cloneable {
  final String name;
  Instant seenAt = Instant.EPOCH;
  Instant writingSince = Instant.EPOCH;

  ReplicaRow(String name) {
    this.name = name;
  }

  ReplicaRow copy() {
    try {
      return (ReplicaRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
