package dev.belay.domain.id;

import java.util.UUID;

/** Identifies one immutable version of a workflow. */
public record WorkflowId(UUID value) implements Comparable<WorkflowId> {

  @Override
  public int compareTo(WorkflowId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
