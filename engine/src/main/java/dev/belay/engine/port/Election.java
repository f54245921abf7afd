package dev.belay.engine.port;

import java.util.Optional;

/** Elects the leader. For one thread. Each call ends within a deadline, even without an answer. */
public interface Election {

  /** Tries to become the leader; does not wait. */
  Optional<Epoch> campaign();

  /** Proves and keeps the leadership; false when it is lost. */
  boolean renew();

  /** Gives up the leadership, so that another can take it at once. Harmless without one. */
  void resign();
}
