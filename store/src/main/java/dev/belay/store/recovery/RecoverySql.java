package dev.belay.store.recovery;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Recovered;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.RecoveryStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The statements of resources/sql/recovery that run in the transaction of an ending. */
public record RecoverySql(Handle handle) implements RecoveryStatements {

  @Override
  public void record(List<Recovered> recovered) {
    if (recovered.isEmpty()) {
      return;
    }
    var insert = handle.createUpdate(Sql.named("recovery/record_recoveries"));
    Unnest.bind(insert, "kinds", String.class, recovered, one -> one.kind().word());
    Unnest.bind(insert, "task_ids", UUID.class, recovered, RecoverySql::task);
    Unnest.bind(insert, "run_ids", UUID.class, recovered, RecoverySql::run);
    Unnest.bind(insert, "dispatch_ids", UUID.class, recovered, RecoverySql::dispatch);
    Unnest.bind(insert, "worker_ids", UUID.class, recovered, RecoverySql::worker);
    Unnest.bind(insert, "since_ms", Long.class, recovered, one -> one.sinceLastSign().toMillis());
    Unnest.bind(insert, "promised_ms", Long.class, recovered, one -> one.promised().toMillis());
    insert.execute();
  }

  private static @Nullable UUID task(Recovered one) {
    TaskId task = one.task();
    return task == null ? null : task.value();
  }

  private static @Nullable UUID run(Recovered one) {
    RunId run = one.run();
    return run == null ? null : run.value();
  }

  private static @Nullable UUID dispatch(Recovered one) {
    DispatchId dispatch = one.dispatch();
    return dispatch == null ? null : dispatch.value();
  }

  private static @Nullable UUID worker(Recovered one) {
    WorkerId worker = one.worker();
    return worker == null ? null : worker.value();
  }

  @Override
  public List<LastSign> readLastSigns(Collection<AttemptKey> attempts, Duration heartbeatInterval) {
    return Unnest.keys(handle.createQuery(Sql.named("recovery/read_last_signs")), attempts)
        .bind("heartbeat_ms", heartbeatInterval.toMillis())
        .map(
            (row, context) ->
                new LastSign(
                    new DispatchId(row.getObject("dispatch_id", UUID.class)),
                    new TaskId(row.getObject("task_id", UUID.class)),
                    new WorkerId(row.getObject("worker_id", UUID.class)),
                    Duration.ofMillis(row.getLong("hello_ms")),
                    Duration.ofMillis(row.getLong("heartbeat_ms"))))
        .list();
  }
}
