package dev.belay.agent.state;

import java.io.IOException;

/** Makes room for what must be written now. */
public interface Room {

  Room NONE = failure -> false;

  /**
   * @return whether there is more room than there was: worth another try
   */
  boolean make(IOException failure);

  /** Something that is written, from its beginning. */
  @FunctionalInterface
  interface Writing<T> {
    T write() throws IOException;
  }

  /** Writes it, and once more when room was made after a failure. */
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

  /** What was kept back is in use: what can be done without must not take it. */
  default boolean isScarce() {
    return false;
  }
}
