package dev.belay.domain.spec;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a task does. */
public sealed interface Action {

  /** Runs a program with these arguments, without a shell. */
  record Command(List<Template> argv) implements Action {
    public Command {
      argv = List.copyOf(argv);
    }
  }

  /**
   * Runs a script with the interpreter of its {@code #!} line, or else {@code /bin/sh -e}. Belay
   * never substitutes expressions into a script, so data cannot become code.
   */
  record Script(String text) implements Action {}

  /**
   * Waits without a worker. Exactly one is set.
   *
   * @param span from the time when the task is ready
   * @param until a time, as {@link Times} reads it
   */
  record Wait(@Nullable Duration span, @Nullable Template until) implements Action {
    public Wait {
      if ((span == null) == (until == null)) {
        throw new IllegalArgumentException("exactly one of span and until must be set");
      }
    }
  }
}
