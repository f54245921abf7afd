package dev.belay.server.wiring;

import dev.belay.domain.limit.Places;
import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Signal;
import dev.belay.server.ServerSettings;
import dev.belay.server.health.DatabaseProbe;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.retention.ArchiveFolder;
import dev.belay.server.retention.OldRows;
import dev.belay.server.retention.RetentionSettings;
import dev.belay.server.retention.TaskRetention;
import dev.belay.settings.HealthGroup;
import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.TaskLogGroup;
import dev.belay.store.backfill.OldBackfills;
import dev.belay.store.bulk.OldBulks;
import dev.belay.store.deadletter.OldLetters;
import dev.belay.store.feed.PostgresFeed;
import dev.belay.store.intake.Keys;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.limit.UnusedBuckets;
import dev.belay.store.queue.UnusedQueues;
import dev.belay.store.read.Reads;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.recovery.Recoveries;
import dev.belay.store.replica.Heartbeat;
import dev.belay.store.schedule.OldTriggers;
import dev.belay.store.trigger.EventIntake;
import dev.belay.store.worker.ForgottenWorkers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
  private static final Duration RECOVERY_LOOK = Duration.ofSeconds(1);

  /** While no recovery is open. Recorded times come from the rows, so a late look is harmless. */
  private static final Duration RECOVERY_LOOK_IDLE = Duration.ofSeconds(5);

  private static final int RECOVERIES_LOOKED_MAX = 1_000;
  private static final int COUNTED_MAX = 100_000;
  private static final Duration LETTERS_LOOK = Duration.ofSeconds(15);

  private final Duration cleanEvery;
  private final Duration logRoomLook;
  private final Machine machine;
  private final LogStore logs;
  private final DatabaseProbe database;
  private final Recoveries recoveries;
  private final BooleanSupplier leads;
  private final Supplier<List<Places.Held>> held;
  private final Loop probe;
  private final Loop follow;
  private final Loop letters;
  private final Loop oldLogs;
  private final Loop logRoom;
  private final PeriodicJobs jobs;
  private final BelayMetrics metrics;

  Upkeep(ServerSettings settings, Machine machine, Replica replica, Jdbi jdbi, LogStore logs) {
    Settings values = settings.values();
    this.cleanEvery = values.of(RetentionGroup.CLEAN_INTERVAL);
    this.logRoomLook = values.of(TaskLogGroup.LOG_ROOM_LOOK);
    this.machine = machine;
    this.logs = logs;
    this.database =
        new DatabaseProbe(
            replica::connect,
            values.of(HealthGroup.PROBE),
            values.of(HealthGroup.DATABASE_SILENCE),
            machine.ticker());
    this.recoveries = new Recoveries(jdbi, settings.promises());
    this.leads = () -> replica.leader().epoch().isPresent();
    this.follow = replica.loops().make("recoveries", this::follow, new Signal());
    this.held = replica::limitsHeld;
    var reads = new Reads(jdbi);
    this.letters = replica.loops().make("dead_letters", () -> count(reads), new Signal());
    this.probe = replica.loops().make("probe", () -> probe(replica), new Signal());
    this.metrics = replica.metrics();
    this.logRoom = replica.loops().make("log_room", this::makeRoom, new Signal(), CLEAN_STEP_MAX);
    this.oldLogs =
        replica.loops().make("old_logs", this::removeOldLogs, new Signal(), CLEAN_STEP_MAX);
    Duration ttl = values.of(RetentionGroup.JOB_LEASE_TTL);
    this.jobs =
        new PeriodicJobs(
            settings.replica(),
            machine,
            replica,
            List.of(
                new PeriodicJob(
                    "retention", cleanEvery, ttl, retention(values, machine, replica, jdbi)),
                new PeriodicJob("clean", cleanEvery, ttl, oldRows(values, jdbi))));
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
            values.find(RetentionGroup.RETENTION_ARCHIVE));
    return new TaskRetention(
        jdbi,
        settings,
        settings.archive().map(folder -> new ArchiveFolder(folder, machine.clock())),
        machine.ticker(),
        replica.metrics());
  }

  private static OldRows oldRows(Settings values, Jdbi jdbi) {
    var ages = RetentionLimits.of(values);
    int max = ages.rowsMax();
    var feed = new PostgresFeed(jdbi);
    var workers =
        new ForgottenWorkers(
            values.of(RetentionGroup.WORKER_RETENTION),
            values.of(RetentionGroup.REPLACED_WORKER_RETENTION),
            values.of(RetentionGroup.WORKER_KEY_RETENTION));
    return new OldRows(
        jdbi,
        List.of(
            in -> in.run(handle -> Keys.forget(handle, ages.idempotency(), max)),
            in -> in.run(handle -> TaskIntake.forgetUniques(handle, max)),
            in -> in.run(handle -> Recoveries.forget(handle, ages.recoveries(), max)),
            in -> in.run(handle -> Alerts.forget(handle, ages.alerts(), max)),
            in -> in.run(handle -> OldTriggers.forgetFires(handle, ages.fires(), max)),
            in -> in.run(handle -> OldTriggers.forgetVersions(handle, ages.fires(), max)),
            in -> in.run(handle -> OldBackfills.forget(handle, ages.backfills(), max)),
            in -> in.run(handle -> OldBulks.forget(handle, ages.bulks(), max)),
            in -> feed.forget(in, ages.changes(), max),
            in -> in.run(handle -> EventIntake.forget(handle, ages.events(), max)),
            in -> in.run(handle -> EventIntake.forgetChains(handle, ages.chains(), max)),
            in -> in.run(handle -> UnusedQueues.forget(handle, ages.tasks(), max)),
            in -> in.run(handle -> UnusedBuckets.forget(handle, max)),
            in -> in.run(handle -> OldLetters.forget(handle, ages.deadLetters(), max)),
            in -> in.run(handle -> Heartbeat.forget(handle, ages.replicas())),
            in -> in.run(workers::forget)),
        max);
  }

  void start() {
    probe.start();
    follow.start();
    letters.start();
    oldLogs.start();
    logRoom.start();
    jobs.start();
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

  /** For the gauge, so one replica is enough. */
  private Duration count(Reads reads) {
    boolean counts = leads.getAsBoolean() && database.isAnswering();
    metrics.deadLetters().open(counts ? reads.openDeadLetters(COUNTED_MAX) : Map.of());
    metrics.limits().waiting(counts ? reads.readyTasks(COUNTED_MAX) : Map.of());
    metrics.limits().places(counts ? held.get() : List.of());
    return LETTERS_LOOK;
  }

  /** Each replica has its own log folder, so this takes no lease. */
  private Duration removeOldLogs() {
    try {
      logs.cleaning().sweep(machine.clock().instant());
      logs.cleaning().measure();
    } catch (IOException failed) {
      log.atWarn().setCause(failed).log("old logs not removed");
    }
    return cleanEvery;
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

  @Override
  public void close() {
    if (probe.close(STOP_MAX)) {
      database.close();
    }
    follow.close(STOP_MAX);
    letters.close(STOP_MAX);
    oldLogs.close(STOP_MAX);
    logRoom.close(STOP_MAX);
    jobs.close();
  }
}
