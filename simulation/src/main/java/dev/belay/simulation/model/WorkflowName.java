package dev.belay.simulation.model;

import java.util.Comparator;

/** Of which there may be many versions. */
record WorkflowName(String tenant, String name) implements Comparable<WorkflowName> {

  private static final Comparator<WorkflowName> ORDER =
      Comparator.comparing(WorkflowName::tenant).thenComparing(WorkflowName::name);

  @Override
  public int compareTo(WorkflowName other) {
    return ORDER.compare(this, other);
  }
}
