package dev.belay.agent.state;

import java.io.IOException;

/** Makes room for a write that must succeed now. */
public interface Room {

  Room NONE = failure -> false;

  /**
   * @return whether there is more room than before, so another attempt is worthwhile
   */
  boolean make(IOException failure);

  /** Writes something from its beginning. */
  @FunctionalInterface
  interface Writing<T> {
    T write() throws IOException;
  }

  /** Writes it, and once more if room was made after a failure. */
  default <T> T write(Writing<T> writing) throws IOException {
    try {
      return writing.write();
    } catch (IOException e) {
      if (!make(e)) {
        throw e;
      }
      return writing.write();
    }
  }

  /** The reserve is in use, so dispensable writes must not take it. */
  default boolean isScarce() {
    return false;
  }
}
