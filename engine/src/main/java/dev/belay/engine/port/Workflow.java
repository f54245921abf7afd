package dev.belay.engine.port;

/** The name of a workflow. */
public record Workflow(String tenant, String name) implements Comparable<Workflow> {
  @Override
  public int compareTo(Workflow other) {
    int byTenant = tenant.compareTo(other.tenant);
    return byTenant != 0 ? byTenant : name.compareTo(other.name);
  }
}
