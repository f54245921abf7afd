package dev.belay.store.read;

import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a task.
 *
 * @param pool null means any pool of its topic
 * @param attempts dispatches so far, in all generations
 */
public record Task(
    UUID id,
    String tenant,
    @Nullable UUID run,
    @Nullable String workflow,
    String name,
    TaskState state,
    String reason,
    Instant stateSince,
    int priority,
    @Nullable String pool,
    long attempts,
    int errorCount,
    int lostCount,
    int crashCount,
    int unavailableCount,
    int generation,
    long fencingToken,
    boolean strict,
    @Nullable Instant notBefore,
    @Nullable Instant deadlineAt,
    @Nullable UUID dispatch,
    @Nullable UUID worker,
    @Nullable String workerName,
    Instant createdAt,
    @Nullable Instant dispatchedAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt) {

  /**
   * One task with the fields that are too big or too costly for a list.
   *
   * @param deadLetter of its generation, if it was given up
   * @param retryOf the dead letter that it is a retry of
   */
  public record Detail(
      @Nested Task task,
      @Nullable String note,
      @Nullable UUID deadLetter,
      @Nullable UUID retryOf,
      Json labels,
      Json work) {}
}
