package dev.belay.domain.id;

import java.util.UUID;

/** Identifies one immutable version of a workflow. */
public record WorkflowId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
