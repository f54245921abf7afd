package dev.belay.store.intake;

import java.util.List;
import java.util.UUID;

/** What became of a trigger. */
public sealed interface Triggered {

  /** The run is stored, by this call or an earlier one with the same key. */
  record Accepted(UUID run) implements Triggered {}

  /** There is no such workflow, or no such version of it. */
  record NoWorkflow() implements Triggered {}

  /** The parameters do not fit; nothing was stored. */
  record Refused(List<String> problems) implements Triggered {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** The key stands for another request; nothing was stored. */
  record KeyConflict(String key) implements Triggered {}
}
