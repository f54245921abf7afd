package dev.belay.engine.steer;

/** The answer to a request to remove a worker. */
public enum Removal {
  REMOVED,
  /** It is connected and sends heartbeats, so it would only register again. */
  ALIVE,
  NOT_FOUND
}
