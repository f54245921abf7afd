package dev.belay.agent.execute;

/** The result of preparing a dispatch. */
public sealed interface Prepared permits Latched, Prepared.Failed, Prepared.NoRoom {

  /** It cannot start; nothing ran. */
  record Failed(Ended ended) implements Prepared {}

  /** This machine lacks a resource; nothing ran, and the dispatch itself is fine. */
  record NoRoom(String reason) implements Prepared {}
}
