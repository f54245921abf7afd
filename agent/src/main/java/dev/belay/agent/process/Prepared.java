package dev.belay.agent.process;

/** What preparing a dispatch comes to. */
public sealed interface Prepared permits GatedProcess, Prepared.Failed {

  /** It cannot start; nothing ran. */
  record Failed(Ended ended) implements Prepared {}
}
