package dev.belay.store.system;

import org.jspecify.annotations.Nullable;

/** The result of declaring something through the API, or of removing it. */
public sealed interface Declaration {

  /**
   * @param created whether it was not declared before
   * @param changed false when it said the same before
   */
  record Done(boolean created, boolean changed) implements Declaration {}

  /** The system file declares it, so only the system file changes it. */
  record OfSystemFile() implements Declaration {}

  /**
   * It is not what the caller has seen.
   *
   * @param version of now; null when it is not declared
   */
  record Outdated(@Nullable Long version) implements Declaration {}

  /** There is nothing to remove. */
  record NotFound() implements Declaration {}

  /** What the caller has seen, and wants to change. */
  sealed interface Seen {
    /** Whatever is there. */
    record Anything() implements Seen {}

    /** Nothing: it is not declared yet. */
    record Nothing() implements Seen {}

    /** This version of it. */
    record Version(long number) implements Seen {}

    /** Whether that is still so. */
    default boolean holds(@Nullable Long version) {
      return switch (this) {
        case Anything _ -> true;
        case Nothing _ -> version == null;
        case Version(var number) -> version != null && version == number;
      };
    }
  }
}
