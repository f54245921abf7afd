package dev.belay.server;

import java.time.Duration;
import java.util.Map;

/**
 * The value of every {@link Limit}.
 *
 * @param chosen those that differ from their defaults
 */
public record Limits(Map<Limit, Long> chosen) {

  public static final Limits DEFAULT = new Limits(Map.of());

  public Limits {
    chosen = Map.copyOf(chosen);
  }

  public long of(Limit limit) {
    return chosen.getOrDefault(limit, limit.byDefault());
  }

  /** As an int; no length or count can be larger. */
  public int count(Limit limit) {
    return (int) Math.min(Integer.MAX_VALUE, of(limit));
  }

  public Duration duration(Limit limit) {
    return Duration.ofMillis(of(limit));
  }
}
