package dev.belay.agent.state;

import java.io.IOException;

/** Makes room for what must be written now. */
public interface Room {

  Room NONE = failure -> false;

  /**
   * @return whether there is more room than there was: worth another try
   */
  boolean make(IOException failure);

  /** What was kept back is in use: what can be done without must not take it. */
  default boolean isScarce() {
    return false;
  }
}
