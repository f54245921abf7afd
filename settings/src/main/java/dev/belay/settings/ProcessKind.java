package dev.belay.settings;

import java.util.Locale;
import java.util.Optional;

/** A process that reads settings. */
public enum ProcessKind {
  /** {@code belay server}. */
  SERVER,
  /** {@code belay agent}. */
  AGENT,
  /** {@code belay lite}: a server, a worker and PostgreSQL together. */
  LITE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ProcessKind> named(String word) {
    for (ProcessKind kind : values()) {
      if (kind.word().equals(word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
