package dev.belay.store.read;

import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * One version of a workflow, with the controls shared by all its versions.
 *
 * @param maxActive how many of its runs may be RUNNING at a time; null means no limit
 */
public record Workflow(
    UUID id,
    String tenant,
    String name,
    int version,
    int taskCount,
    Instant createdAt,
    String createdBy,
    boolean paused,
    @Nullable Instant pausedAt,
    @Nullable String pausedBy,
    @Nullable Integer maxActive) {

  /** One version with the fields that are too big for a list. */
  public record Detail(@Nested Workflow workflow, Json spec, String source) {}
}
