package dev.belay.simulation.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table workflow_control. */
final class ControlRow implements Cloneable {
  final WorkflowName name;
  @Nullable Integer maxActive;
  @Nullable Instant pausedAt;

  ControlRow(WorkflowName name) {
    this.name = name;
  }

  ControlRow copy() {
    try {
      return (ControlRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
