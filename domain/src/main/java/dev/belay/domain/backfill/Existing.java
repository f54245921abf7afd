package dev.belay.domain.backfill;

import dev.belay.domain.run.RunState;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a backfill does with instants that already have a run. */
public enum Existing {
  /** Only instants without a run get one. */
  MISSING,
  /** Also those whose newest run is FAILED or CANCELLED. */
  FAILED,
  /** All instants get a run. */
  ALL;

  /** How people and columns write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Existing> ofWord(String word) {
    for (Existing one : values()) {
      if (one.word().equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /**
   * The newest run of an instant.
   *
   * @param state null when the run was removed, and only the ledger tells of it
   */
  public record Found(@Nullable RunState state) {}

  /** Why an instant is skipped; empty when it gets a run. */
  public Optional<String> skips(@Nullable Found found) {
    if (found == null) {
      return Optional.empty();
    }
    boolean skips =
        switch (this) {
          case MISSING -> true;
          case FAILED -> !isFailed(found.state());
          case ALL -> false;
        };
    RunState state = found.state();
    return skips
        ? Optional.of("exists: " + (state == null ? "removed" : state.name()))
        : Optional.empty();
  }

  private static boolean isFailed(@Nullable RunState state) {
    return switch (state) {
      case null -> false;
      case FAILED, CANCELLED -> true;
      case QUEUED, RUNNING, SUCCEEDED -> false;
    };
  }
}
