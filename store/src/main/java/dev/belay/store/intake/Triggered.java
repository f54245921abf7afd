package dev.belay.store.intake;

import java.util.List;
import java.util.UUID;

/** The result of a trigger. */
public sealed interface Triggered {

  /** This call, or an earlier one with the same key, stored the run. */
  record Accepted(UUID run) implements Triggered {}

  /** The workflow or this version of it does not exist. */
  record NoWorkflow() implements Triggered {}

  /** The workflow is deleted; this call stored nothing. */
  record Deleted() implements Triggered {}

  /** The parameters are invalid; this call stored nothing. */
  record Refused(List<String> problems) implements Triggered {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** The tenant may not submit so much now; this call stored nothing. */
  record Limited(TenantLimit limit) implements Triggered {}

  /** The key stands for another request; this call stored nothing. */
  record KeyConflict(String key) implements Triggered {}
}
