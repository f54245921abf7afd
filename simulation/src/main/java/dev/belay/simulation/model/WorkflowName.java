package dev.belay.simulation.model;

import java.util.Comparator;

/** Identifies a workflow across its versions. */
record WorkflowName(String tenant, String name) implements Comparable<WorkflowName> {

  private static final Comparator<WorkflowName> ORDER =
      Comparator.comparing(WorkflowName::tenant).thenComparing(WorkflowName::name);

  @Override
  public int compareTo(WorkflowName other) {
    return ORDER.compare(this, other);
  }
}
