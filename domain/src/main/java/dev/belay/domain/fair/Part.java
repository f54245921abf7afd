package dev.belay.domain.fair;

/** Task queues that one limit, or one lack of workers, blocks together. */
public sealed interface Part {

  /** All that compete for the same workers. */
  record OfGroup(String group) implements Part {}

  /** Those of a tenant, in all groups. */
  record OfTenant(String tenant) implements Part {}

  /** Those of a workflow, in all groups. */
  record OfWorkflow(String tenant, String workflow) implements Part {}
}
