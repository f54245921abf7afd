package dev.belay.simulation.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The database's clock: stands still until it is told. */
final class SteppedClock implements InstantSource {

  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private volatile Instant now = BEGINNING;

  @Override
  public Instant instant() {
    return now;
  }

  void beginAgain() {
    now = BEGINNING;
  }

  void step(Duration by) {
    now = now.plus(by);
  }
}
