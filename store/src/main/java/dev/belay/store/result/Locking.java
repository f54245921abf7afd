package dev.belay.store.result;

import dev.belay.domain.settle.Tries;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.result.LockedTask;
import dev.belay.store.Sql;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Locks tasks by their dispatches. */
final class Locking {

  private Locking() {}

  /** By dispatch; one that nobody knows is missing. */
  static Map<UUID, LockedTask> lock(Handle handle, Collection<UUID> dispatches) {
    Map<UUID, LockedTask> locked = new HashMap<>();
    handle
        .createQuery(Sql.named("result/lock_tasks"))
        .bindArray("dispatches", UUID.class, dispatches)
        .map(
            (row, context) ->
                Map.entry(
                    row.getObject("dispatch_id", UUID.class),
                    new LockedTask(
                        row.getObject("id", UUID.class),
                        TaskState.valueOf(row.getString("state")),
                        row.getObject("worker_id", UUID.class),
                        row.getObject("session_id", UUID.class),
                        row.getBoolean("is_current"),
                        row.getBoolean("of_generation"),
                        row.getBoolean("attempt_ended"),
                        row.getString("abort_reason"),
                        new Tries(
                            row.getInt("error_count"),
                            row.getInt("lost_count"),
                            row.getInt("crash_count")))))
        .forEach(entry -> locked.put(entry.getKey(), entry.getValue()));
    return locked;
  }
}
