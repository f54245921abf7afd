package dev.belay.simulation;

/** Unwinds the call of a replica that died. An Error, so that none of its code handles it. */
final class ServerDied extends Error {
  private static final long serialVersionUID = 1L;

  ServerDied() {
    super("the replica is dead", null, false, false);
  }
}
