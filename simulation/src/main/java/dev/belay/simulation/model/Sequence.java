package dev.belay.simulation.model;

/** Increasing numbers. */
final class Sequence {
  private long last;

  long next() {
    return ++last;
  }
}
