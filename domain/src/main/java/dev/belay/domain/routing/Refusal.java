package dev.belay.domain.routing;

import java.util.Locale;

/** Why no worker gets a task. */
public enum Refusal {
  /** No pool runs the topic, or none has the required capabilities. */
  NO_POOL_MAPPING,
  /** The pools do not start tasks at the moment. */
  POOL_INACTIVE,
  /** No worker that may run the task takes work. */
  NO_WORKERS,
  /** The limits of the pools leave no room. */
  POOL_SLOTS,
  /** Workers take work, but none has room. */
  POOL_OVERLOADED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
