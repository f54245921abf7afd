package dev.belay.domain.spec;

import java.util.List;

/** What a task does. */
public sealed interface Action {

  /** Runs a program with these arguments; no shell is involved. */
  record Command(List<Template> argv) implements Action {
    public Command {
      argv = List.copyOf(argv);
    }
  }

  /**
   * Runs a script: by the interpreter of its {@code #!} line, else by {@code /bin/sh -e}.
   * Expressions are never substituted into it, so that data cannot become code.
   */
  record Script(String text) implements Action {}
}
