package dev.belay.simulation.model;

final class Sequence {
  private long last;

  long next() {
    return ++last;
  }
}
