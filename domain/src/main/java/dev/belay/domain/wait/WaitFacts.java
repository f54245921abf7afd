package dev.belay.domain.wait;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Facts that all waits share at one moment. */
public record WaitFacts(Instant now, Leader leader) {

  /**
   * The current leader.
   *
   * @param live its last heartbeat is recent enough
   * @param seenAt null when no replica ever led, or its record is deleted
   */
  public record Leader(@Nullable String name, boolean live, @Nullable Instant seenAt) {}
}
