package dev.belay.domain.limit;

import java.util.Map;

/**
 * The current limits; what is not named has none. A task queue brings the limits of its keys.
 *
 * @param poolSlots slots that the tasks of a pool may hold
 * @param tenantRunning tasks of a tenant that may hold a place
 * @param workflowTasks tasks of a workflow that may hold a place
 */
public record Limits(
    Map<String, Integer> poolSlots,
    Map<String, Integer> tenantRunning,
    Map<OfTenant, Integer> workflowTasks) {

  public static final Limits NONE = new Limits(Map.of(), Map.of(), Map.of());

  public Limits {
    poolSlots = Map.copyOf(poolSlots);
    tenantRunning = Map.copyOf(tenantRunning);
    workflowTasks = Map.copyOf(workflowTasks);
  }

  /** A workflow or a key: a name that each tenant has for itself. */
  public record OfTenant(String tenant, String name) {}
}
