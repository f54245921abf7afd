package dev.belay.store.feed;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.task.TaskState;
import dev.belay.store.plan.PlanSql;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Changes in a transaction that the test holds open. */
final class Moves {

  private Moves() {}

  /** Gives the transaction its xid now. */
  static void begin(Handle handle) {
    handle.begin();
    handle.createQuery("SELECT CAST(pg_current_xact_id() AS text)").mapTo(String.class).one();
  }

  static void cancel(Handle handle, TaskId task, TaskState from) {
    var move = new Move(task, 1, from, TaskState.CANCELLED, "cancelled", null);
    if (!new PlanSql(handle).moveTasks(List.of(move), "me").contains(task)) {
      throw new IllegalStateException(task + " was not " + from);
    }
  }
}
