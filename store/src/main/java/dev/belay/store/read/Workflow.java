package dev.belay.store.read;

import java.time.Instant;
import java.util.UUID;

/** One version of a workflow. */
public record Workflow(
    UUID id,
    String tenant,
    String name,
    int version,
    int taskCount,
    Instant createdAt,
    String createdBy) {

  /** One version with what is too big for a list. */
  public record Detail(Workflow workflow, Json spec, String source) {}
}
