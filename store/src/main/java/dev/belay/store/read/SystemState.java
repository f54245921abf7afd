package dev.belay.store.read;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the applied system file describes.
 *
 * @param file null when none was applied
 */
public record SystemState(@Nullable File file, List<Pool> pools) {

  public SystemState {
    pools = List.copyOf(pools);
  }

  /** The system file as it was applied. */
  public record File(String source, Instant appliedAt, String appliedBy) {}

  /** A declared pool. */
  public record Pool(String name, @Nullable String description) {}
}
