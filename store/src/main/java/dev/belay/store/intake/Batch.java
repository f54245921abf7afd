package dev.belay.store.intake;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that Belay stores together under at most one key.
 *
 * @param key null when the caller gave none; then a repeated call stores the tasks again
 */
public record Batch(@Nullable IdempotencyKey key, List<NewTask> tasks) {

  public Batch {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("a batch has at least one task");
    }
  }
}
