package dev.belay.domain.spec;

import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second task with the same key from being submitted while the first one holds the key.
 *
 * @param key unique in the tenant
 * @param time of {@link Scope#FOR}, else null
 */
public record Unique(String key, Scope scope, @Nullable Duration time, OnConflict onConflict) {

  public static final int KEY_CHARS_MAX = 255;
  public static final Duration TIME_MAX = Duration.ofDays(365);

  public Unique {
    if ((time != null) != (scope == Scope.FOR)) {
      throw new IllegalArgumentException("only 'for' has a time");
    }
  }

  /** How long a task holds its key. */
  public enum Scope {
    /** Until a worker gets it for the first time. */
    QUEUED,
    /** Until it has ended. */
    UNFINISHED,
    /** For a time from its submit, whatever becomes of it. */
    FOR;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a submit does when another task holds its key. */
  public enum OnConflict {
    /** It stores nothing. */
    REJECT,
    /** It answers with the other task. */
    EXISTING,
    /** It ends the other task and takes its place. */
    REPLACE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The task that last got a key.
   *
   * @param until when a hold {@link Scope#FOR} a time ends, else null
   */
  public record Hold(Scope scope, @Nullable Instant until) {

    /**
     * Whether the task still holds the key.
     *
     * @param state null when the task was removed
     * @param isFirst no worker has got the task
     */
    public boolean lasts(@Nullable TaskState state, boolean isFirst, Instant now) {
      return switch (scope) {
        case QUEUED -> state != null && state.kind() == TaskState.Kind.IDLE && isFirst;
        case UNFINISHED -> state != null && !state.isTerminal();
        case FOR -> until != null && now.isBefore(until);
      };
    }
  }
}
