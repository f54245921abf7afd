package dev.belay.engine.port;

import java.util.Optional;

/** Who leads. Used by one thread. Each call ends within a deadline, also when nobody answers. */
public interface Election {

  /** Tries to become the leader; answers at once. */
  Optional<Epoch> campaign();

  /** Proves that the leadership is still held, and keeps it; false when it is lost. */
  boolean renew();

  /** Gives the leadership up, so that another can take it at once. Harmless when there is none. */
  void resign();
}
