package dev.belay.simulation.model;

import java.util.Comparator;

record WorkflowVersion(WorkflowName name, int number) implements Comparable<WorkflowVersion> {

  private static final Comparator<WorkflowVersion> ORDER =
      Comparator.comparing(WorkflowVersion::name).thenComparingInt(WorkflowVersion::number);

  @Override
  public int compareTo(WorkflowVersion other) {
    return ORDER.compare(this, other);
  }
}
