package dev.belay.agent.execute;

/** What preparing a dispatch comes to. */
public sealed interface Prepared permits Latched, Prepared.Failed, Prepared.NoRoom {

  /** It cannot start; nothing ran. */
  record Failed(Ended ended) implements Prepared {}

  /** This machine lacks what it takes; nothing ran, and nothing is wrong with the dispatch. */
  record NoRoom(String reason) implements Prepared {}
}
