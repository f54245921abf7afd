package dev.belay.server.metrics;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Topics as labels. Tasks may name any topic, and a series for each would fill the memory: those
 * that come after the first 200 share a label. Thread-safe.
 */
public final class Topics {

  static final String NONE = "";
  public static final String OTHER = "other";
  private static final int MAX = 200;

  private final Set<String> known = new HashSet<>();

  /** Gives no topic a label that has none yet. */
  synchronized String labelIfKnown(@Nullable String topic) {
    return topic == null ? NONE : known.contains(topic) ? topic : OTHER;
  }

  synchronized String label(@Nullable String topic) {
    if (topic == null) {
      return NONE;
    }
    return known.contains(topic) || (known.size() < MAX && known.add(topic)) ? topic : OTHER;
  }
}
