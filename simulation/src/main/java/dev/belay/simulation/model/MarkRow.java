package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;

/** A row of the table mark. */
final class MarkRow implements Cloneable {
  final long id;
  final RunId run;
  boolean postponed;

  MarkRow(long id, RunId run) {
    this.id = id;
    this.run = run;
  }

  MarkRow copy() {
    try {
      return (MarkRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
