package dev.belay.store.intake;

import dev.belay.domain.task.TaskState;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The result of a submit. */
public sealed interface Submission {

  /**
   * This call, or an earlier one with the same keys, stored all tasks.
   *
   * @param ids of the tasks, in the given order
   * @param existing those that hold their unique key since before this call, with their states
   */
  record Accepted(List<UUID> ids, Map<UUID, TaskState> existing) implements Submission {
    public Accepted {
      ids = List.copyOf(ids);
      existing = Map.copyOf(existing);
    }

    public Accepted(List<UUID> ids) {
      this(ids, Map.of());
    }
  }

  /** A tenant may not submit so much now; this call stored nothing. */
  record Limited(TenantLimit limit) implements Submission {}

  /** Other tasks hold unique keys of this call, which stored nothing. */
  record UniqueConflict(List<Held> held) implements Submission {
    public UniqueConflict {
      held = List.copyOf(held);
    }
  }

  /**
   * A unique key that another task holds.
   *
   * @param task null when it comes earlier in the same call, and so was not stored either
   * @param state null also when the task was removed
   */
  record Held(String key, @Nullable UUID task, @Nullable TaskState state) {}

  /** The keys stand for other requests; this call stored nothing. */
  record KeyConflict(List<String> keys) implements Submission {
    public KeyConflict {
      keys = List.copyOf(keys);
    }
  }
}
