package dev.belay.server.wiring;

import dev.belay.server.ServerSettings;
import dev.belay.server.gateway.LogGateway;
import dev.belay.server.gateway.WorkerKeys;
import dev.belay.server.logs.LogAccess;
import dev.belay.server.logs.LogDisk;
import dev.belay.server.logs.LogRates;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.TaskLogGroup;
import dev.belay.store.log.LogOwners;
import dev.belay.store.worker.KeyRows;
import java.io.IOException;
import java.util.concurrent.Executors;
import org.jdbi.v3.core.Jdbi;

/** Assembles the storage of task logs. */
final class Logs {

  private Logs() {}

  static LogStore store(ServerSettings settings, Machine machine) throws IOException {
    Settings values = settings.values();
    var disk =
        new LogDisk(
            settings.files().logFolder(),
            values.of(TaskLogGroup.LOG_DISK_MAX),
            values.of(TaskLogGroup.LOG_DISK_FREE),
            machine.ticker());
    var bounds =
        new LogStore.Bounds(
            values.of(TaskLogGroup.LOG_MAX),
            values.of(RetentionGroup.LOG_RETENTION),
            values.of(TaskLogGroup.LOG_DISPATCHES_MAX));
    return new LogStore(settings.files().logFolder(), bounds, machine.clock(), disk);
  }

  static LogGateway gateway(
      ServerSettings settings,
      Machine machine,
      Jdbi jdbi,
      LogStore store,
      BelayMetrics metrics,
      Runnable changed) {
    Settings values = settings.values();
    int remembered = values.of(TaskLogGroup.LOG_DISPATCHES_MAX);
    return new LogGateway(
        new WorkerKeys(new KeyRows(jdbi)::find, machine.ticker()),
        new LogAccess(
            new LogOwners(jdbi)::find,
            store,
            values.of(TaskLogGroup.LOG_TASK_MAX),
            remembered,
            machine.clock()),
        store,
        new LogRates(values.of(TaskLogGroup.LOG_WORKER_RATE), remembered, machine.ticker()),
        metrics,
        // Platform threads: a disk or database that hangs blocks only these.
        Executors.newFixedThreadPool(values.of(TaskLogGroup.LOG_THREADS), machine.threads()),
        changed,
        new LogGateway.Bounds(values.of(TaskLogGroup.LOG_MAX), values.of(TaskLogGroup.LOG_RETRY)));
  }

  static void watch(BelayMetrics metrics, LogStore store) {
    metrics.watch(Metric.LOG_DISK_BYTES, () -> store.disk().used());
    metrics.watch(Metric.LOG_DISK_REFUSING, () -> store.disk().isRefusing() ? 1 : 0);
  }
}
