package dev.belay.store.trigger;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event to store.
 *
 * @param key the sender's; null when each call is another event
 * @param data an object, as JSON
 * @param run the run whose task sent it
 */
public record NewEvent(
    String tenant,
    String name,
    @Nullable String key,
    String data,
    Source source,
    @Nullable UUID run) {

  /** The way in which it came. */
  public enum Source {
    API,
    HOOK
  }
}
