package dev.belay.store.intake;

import java.util.List;
import java.util.UUID;

/** What became of a submit. */
public sealed interface Submission {

  /**
   * All of it is stored, by this call or an earlier one with the same keys.
   *
   * @param ids of the tasks, in the order given
   */
  record Accepted(List<UUID> ids) implements Submission {
    public Accepted {
      ids = List.copyOf(ids);
    }
  }

  /** These keys stand for other requests; nothing was stored. */
  record KeyConflict(List<String> keys) implements Submission {
    public KeyConflict {
      keys = List.copyOf(keys);
    }
  }
}
