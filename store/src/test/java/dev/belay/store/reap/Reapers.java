package dev.belay.store.reap;

import dev.belay.domain.reap.ReapGrace;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.ReapSettings.Grace;
import dev.belay.domain.reap.ReapSettings.Mass;
import dev.belay.domain.reap.ReapSettings.Waits;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.reap.Reaper;
import dev.belay.store.fixture.LiveStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reapers on a real store, with settings for tests. */
final class Reapers {

  /** The defaults without the grace of a new leader, which has its own tests. */
  static final ReapSettings RULES =
      ReapSettings.DEFAULT
          .withGrace(
              new Grace(
                  Duration.ofSeconds(30),
                  Duration.ofNanos(1),
                  Duration.ofMinutes(5),
                  Duration.ofSeconds(10),
                  Duration.ofHours(1),
                  Mass.DEFAULT))
          .withWaits(
              new Waits(
                  Duration.ofHours(5),
                  Duration.ofMinutes(2),
                  Duration.ofDays(7),
                  Duration.ofDays(7),
                  Duration.ofMinutes(5),
                  Duration.ofMinutes(1)));

  /** With that grace. */
  static final ReapSettings GRACIOUS =
      RULES.withGrace(
          new Grace(
              Duration.ofSeconds(30),
              Duration.ofSeconds(30),
              Duration.ofMinutes(5),
              Duration.ofSeconds(10),
              Duration.ofHours(1),
              Mass.DEFAULT));

  private Reapers() {}

  static Reaper of(LiveStore store, ReapSettings rules, LongSupplier ticker) {
    return new Reaper(
        new PostgresReap(store.jdbi(), rules),
        store.reaps(rules),
        rules,
        Duration.ofSeconds(1),
        () -> Optional.of(store.epoch()),
        () -> Duration.ofDays(1),
        new ReapGrace(rules.grace()),
        Hints.NONE,
        Meters.NONE,
        ticker);
  }
}
