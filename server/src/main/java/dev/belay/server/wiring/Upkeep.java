package dev.belay.server.wiring;

import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.server.ServerSettings;
import dev.belay.server.health.DatabaseProbe;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.server.retention.ArchiveFolder;
import dev.belay.server.retention.RetentionSettings;
import dev.belay.server.retention.TaskRetention;
import dev.belay.settings.HealthGroup;
import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.TaskLogGroup;
import dev.belay.store.feed.PostgresFeed;
import dev.belay.store.intake.Keys;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.recovery.Recoveries;
import dev.belay.store.replica.Heartbeat;
import dev.belay.store.worker.ForgottenWorkers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background work of a replica: probes the database, follows recoveries, deletes expired data.
 */
final class Upkeep implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration CLEAN_STEP_MAX = Duration.ofMinutes(30);
  private static final Duration STOP_MAX = Duration.ofSeconds(1);
  private static final int ROUNDS_MAX = 1_000;
  private static final Duration RECOVERY_LOOK = Duration.ofSeconds(1);

  /** While no recovery is open. Recorded times come from the rows, so a late look is harmless. */
  private static final Duration RECOVERY_LOOK_IDLE = Duration.ofSeconds(5);

  private static final int RECOVERIES_LOOKED_MAX = 1_000;

  private final RetentionLimits retention;
  private final ForgottenWorkers forgottenWorkers;
  private final Duration logRoomLook;
  private final Machine machine;
  private final Jdbi jdbi;
  private final LogStore logs;
  private final DatabaseProbe database;
  private final Recoveries recoveries;
  private final PostgresFeed feed;
  private final BooleanSupplier leads;
  private final Loop probe;
  private final Loop follow;
  private final Loop clean;
  private final Loop logRoom;
  private final Loop retain;
  private final BelayMetrics metrics;

  Upkeep(ServerSettings settings, Machine machine, Replica replica, Jdbi jdbi, LogStore logs) {
    Settings values = settings.values();
    this.retention = RetentionLimits.of(values);
    this.forgottenWorkers =
        new ForgottenWorkers(
            values.of(RetentionGroup.WORKER_RETENTION),
            values.of(RetentionGroup.REPLACED_WORKER_RETENTION),
            values.of(RetentionGroup.WORKER_KEY_RETENTION));
    this.logRoomLook = values.of(TaskLogGroup.LOG_ROOM_LOOK);
    this.machine = machine;
    this.jdbi = jdbi;
    this.logs = logs;
    this.database =
        new DatabaseProbe(
            replica::connect,
            values.of(HealthGroup.PROBE),
            values.of(HealthGroup.DATABASE_SILENCE),
            machine.ticker());
    this.recoveries = new Recoveries(jdbi, settings.promises());
    this.feed = new PostgresFeed(jdbi);
    this.leads = () -> replica.leader().epoch().isPresent();
    this.follow = replica.loops().make("recoveries", this::follow, new Signal());
    this.probe = replica.loops().make("probe", () -> probe(replica), new Signal());
    this.metrics = replica.metrics();
    this.logRoom = replica.loops().make("log_room", this::makeRoom, new Signal(), CLEAN_STEP_MAX);
    this.clean = replica.loops().make("clean", this::clean, new Signal(), CLEAN_STEP_MAX);
    var finished = retention(values, machine, replica, jdbi);
    this.retain = replica.loops().make("retention", finished::runOnce, new Signal());
    metrics.watch(Metric.RETENTION_PASS_AGE, finished::passAge);
  }

  /** Retention removes nothing while it cannot archive, and nobody would notice for months. */
  static void check(Settings values) throws IOException {
    Optional<Path> archive = values.find(RetentionGroup.RETENTION_ARCHIVE);
    if (archive.isPresent()) {
      ArchiveFolder.check(archive.get());
    }
  }

  private static TaskRetention retention(
      Settings values, Machine machine, Replica replica, Jdbi jdbi) {
    RetentionSettings settings =
        new RetentionSettings(
            values.of(RetentionGroup.TASK_RETENTION),
            values.of(RetentionGroup.RETENTION_BATCH),
            values.of(RetentionGroup.RETENTION_SHARE),
            values.of(RetentionGroup.CLEAN_INTERVAL),
            values.find(RetentionGroup.RETENTION_ARCHIVE));
    return new TaskRetention(
        jdbi,
        settings,
        settings.archive().map(folder -> new ArchiveFolder(folder, machine.clock())),
        replica.leader()::trusted,
        machine.ticker(),
        replica.metrics());
  }

  void start() {
    probe.start();
    follow.start();
    clean.start();
    logRoom.start();
    retain.start();
  }

  DatabaseProbe database() {
    return database;
  }

  /** A newer schema refuses all sessions of this server, so it only sends its workers away. */
  private Duration probe(Replica replica) {
    Duration pause = database.runOnce();
    if (database.isSchemaNewer()) {
      replica.gateway().shutdown();
    }
    return pause;
  }

  /** Only the leader does this; others would repeat its work. The probe reports outages. */
  private Duration follow() {
    if (leads.getAsBoolean() && database.isAnswering()) {
      return recoveries.complete(RECOVERIES_LOOKED_MAX) > 0 ? RECOVERY_LOOK : RECOVERY_LOOK_IDLE;
    }
    return RECOVERY_LOOK_IDLE;
  }

  private Duration clean() {
    var keys = new Keys(jdbi);
    var alerts = new Alerts(jdbi);
    forget(max -> keys.forget(retention.idempotency(), max));
    forget(max -> recoveries.forget(retention.recoveries(), max));
    forget(max -> alerts.forget(retention.alerts(), max));
    forget(max -> feed.forget(retention.changes(), max));
    Heartbeat.forget(jdbi, retention.replicas());
    forgottenWorkers.forget(jdbi);
    try {
      logs.cleaning().sweep(machine.clock().instant());
      logs.cleaning().measure();
    } catch (IOException failed) {
      log.atWarn().setCause(failed).log("old logs not removed");
    }
    return retention.interval();
  }

  /** Separate from the cleaning: a disk that fills cannot wait an hour. */
  private Duration makeRoom() {
    try {
      metrics.logsEvicted(logs.cleaning().makeRoom());
    } catch (IOException failed) {
      log.atWarn().addKeyValue("cause", failed.toString()).log("no room made for logs");
    }
    return logRoomLook;
  }

  private void forget(IntUnaryOperator some) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      if (some.applyAsInt(retention.rowsMax()) < retention.rowsMax()) {
        break;
      }
    }
  }

  @Override
  public void close() {
    if (probe.close(STOP_MAX)) {
      database.close();
    }
    follow.close(STOP_MAX);
    clean.close(STOP_MAX);
    logRoom.close(STOP_MAX);
    retain.close(STOP_MAX);
  }
}
