package dev.belay.store.read;

import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks; null or empty means any.
 *
 * @param changedAfter compared with the time of the last transition
 */
public record TaskFilter(
    String tenant,
    Set<TaskState> states,
    @Nullable UUID run,
    @Nullable String name,
    @Nullable String pool,
    @Nullable UUID worker,
    @Nullable Instant changedAfter) {

  /** The states of the index task_unusual. */
  private static final Set<TaskState> UNUSUAL =
      EnumSet.of(
          TaskState.WAITING,
          TaskState.PENDING,
          TaskState.APPROVAL_REQUIRED,
          TaskState.DEFERRED,
          TaskState.BLOCKED,
          TaskState.FAILED,
          TaskState.TIMEOUT,
          TaskState.CANCELLED,
          TaskState.DENIED,
          TaskState.OUTPUT_QUARANTINED,
          TaskState.SKIPPED,
          TaskState.UPSTREAM_FAILED);

  public TaskFilter {
    states = Set.copyOf(states);
  }

  /** Null unless it is exactly one whose tasks an index gives by id. */
  @Nullable TaskState indexedState() {
    TaskState only = states.size() == 1 ? states.iterator().next() : null;
    return only != null && UNUSUAL.contains(only) ? only : null;
  }

  /** Empty unless all are active: few tasks are, and an index leads to them. */
  Set<TaskState> activeStates() {
    return states.stream().allMatch(TaskState::isActive) ? states : Set.of();
  }

  /** Those that no index serves. */
  Set<TaskState> otherStates() {
    return indexedState() == null && activeStates().isEmpty() ? states : Set.of();
  }
}
