package dev.belay.server.wiring;

import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.server.ServerSettings;
import dev.belay.server.health.DatabaseProbe;
import dev.belay.server.logs.LogStore;
import dev.belay.store.intake.Keys;
import dev.belay.store.partition.Partitions;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica does beside its work: watches the database, makes partitions, forgets what is too
 * old.
 */
final class Upkeep implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration CLEAN = Duration.ofHours(1);
  private static final Duration CLEAN_STEP_MAX = Duration.ofMinutes(30);
  private static final Duration STOP_MAX = Duration.ofSeconds(1);
  private static final int WEEKS_AHEAD = 2;
  private static final int KEYS_MAX = 10_000;
  private static final int KEY_ROUNDS_MAX = 1_000;

  private final ServerSettings settings;
  private final Machine machine;
  private final Jdbi jdbi;
  private final LogStore logs;
  private final Partitions partitions;
  private final DatabaseProbe database;
  private final Loop probe;
  private final Loop clean;

  Upkeep(ServerSettings settings, Machine machine, Replica replica, Jdbi jdbi, LogStore logs) {
    this.settings = settings;
    this.machine = machine;
    this.jdbi = jdbi;
    this.logs = logs;
    this.partitions = new Partitions(jdbi);
    ServerSettings.Watching watching = settings.intervals().watching();
    this.database =
        new DatabaseProbe(
            replica::connect, watching.probe(), watching.databaseSilence(), machine.ticker());
    this.probe = replica.loops().make("probe", database::runOnce, new Signal());
    this.clean = replica.loops().make("clean", this::clean, new Signal(), CLEAN_STEP_MAX);
  }

  /** Before the first row is written. */
  void prepare() {
    partitions.ensure(today(), WEEKS_AHEAD);
  }

  void start() {
    probe.start();
    clean.start();
  }

  DatabaseProbe database() {
    return database;
  }

  private Duration clean() {
    partitions.ensure(today(), WEEKS_AHEAD);
    var keys = new Keys(jdbi);
    for (int round = 0; round < KEY_ROUNDS_MAX; round++) {
      if (keys.forget(settings.limits().idempotencyRetention(), KEYS_MAX) < KEYS_MAX) {
        break;
      }
    }
    try {
      logs.sweep(machine.clock().instant());
    } catch (IOException failed) {
      log.atWarn().setCause(failed).log("old logs not removed");
    }
    return CLEAN;
  }

  private LocalDate today() {
    return LocalDate.ofInstant(machine.clock().instant(), ZoneOffset.UTC);
  }

  @Override
  public void close() {
    if (probe.close(STOP_MAX)) {
      database.close();
    }
    clean.close(STOP_MAX);
  }
}
