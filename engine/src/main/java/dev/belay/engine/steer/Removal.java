package dev.belay.engine.steer;

/** What became of the wish to remove a worker. */
public enum Removal {
  REMOVED,
  /** It is connected and sends heartbeats: it would only come back. */
  ALIVE,
  NOT_FOUND
}
