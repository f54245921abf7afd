package dev.belay.simulation.model;

import dev.belay.domain.spec.RunLimits.Overlap;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table workflow_control. */
final class ControlRow implements Cloneable {
  final WorkflowName name;
  @Nullable Integer maxActive;
  @Nullable Integer maxTasks;
  @Nullable Overlap overlap;
  @Nullable Instant pausedAt;
  @Nullable Instant deletedAt;

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
