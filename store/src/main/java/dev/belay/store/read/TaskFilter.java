package dev.belay.store.read;

import dev.belay.domain.task.TaskState;
import java.time.Instant;
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

  public TaskFilter {
    states = Set.copyOf(states);
  }
}
