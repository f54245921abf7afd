package dev.belay.simulation.model;

/** Numbers that only grow. */
final class Sequence {
  private long last;

  long next() {
    return ++last;
  }
}
