package dev.belay.simulation;

/** Unwinds what a replica was doing when it died. An Error, so that none of its code acts on it. */
final class ServerDied extends Error {
  private static final long serialVersionUID = 1L;

  ServerDied() {
    super("the replica is dead", null, false, false);
  }
}
