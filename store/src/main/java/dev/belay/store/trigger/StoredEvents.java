package dev.belay.store.trigger;

import java.util.List;
import java.util.UUID;

/** The answer to a request to store events. */
public sealed interface StoredEvents {

  /** In the order of the request. */
  record Accepted(List<Stored> events) implements StoredEvents {}

  /**
   * Nothing was stored: an earlier event has the same name and key, and other data.
   *
   * @param keys of those events
   */
  record KeyConflict(List<String> keys) implements StoredEvents {}

  /**
   * @param isNew false when an event with its key was there already: then the id is that one's
   */
  record Stored(UUID id, boolean isNew) {}
}
