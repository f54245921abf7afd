package dev.belay.store.read;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * One version of a workflow, with the controls shared by all its versions.
 *
 * @param triggerCount of the workflow now, whichever version this is
 * @param maxActive how many of its runs may be RUNNING at a time; null means no limit
 * @param deletedAt null unless it is deleted
 */
public record Workflow(
    UUID id,
    String tenant,
    String name,
    int version,
    int taskCount,
    int triggerCount,
    Instant createdAt,
    String createdBy,
    boolean paused,
    @Nullable Instant pausedAt,
    @Nullable String pausedBy,
    @Nullable Integer maxActive,
    @Nullable Instant deletedAt,
    @Nullable String deletedBy) {

  /** One version with the fields that are too big for a list. */
  public record Detail(@Nested Workflow workflow, Json spec, String source) {}

  /** One version, without the controls. */
  public record Version(
      UUID id,
      String tenant,
      String name,
      int version,
      int taskCount,
      Instant createdAt,
      String createdBy) {}

  /**
   * Versions of one workflow, the newest first.
   *
   * @param next the cursor of the next page: the number of this page's last item; null at the end
   */
  public record Versions(List<Version> items, @Nullable Integer next) {
    public Versions {
      items = List.copyOf(items);
    }
  }
}
