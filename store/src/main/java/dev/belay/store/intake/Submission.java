package dev.belay.store.intake;

import java.util.List;
import java.util.UUID;

/** The result of a submit. */
public sealed interface Submission {

  /**
   * This call, or an earlier one with the same keys, stored all tasks.
   *
   * @param ids of the tasks, in the given order
   */
  record Accepted(List<UUID> ids) implements Submission {
    public Accepted {
      ids = List.copyOf(ids);
    }
  }

  /** A tenant may not submit so much now; this call stored nothing. */
  record Limited(TenantLimit limit) implements Submission {}

  /** The keys stand for other requests; this call stored nothing. */
  record KeyConflict(List<String> keys) implements Submission {
    public KeyConflict {
      keys = List.copyOf(keys);
    }
  }
}
