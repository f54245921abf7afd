package dev.belay.domain.spec;

import java.util.List;

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
}
