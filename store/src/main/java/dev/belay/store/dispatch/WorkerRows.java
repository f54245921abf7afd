package dev.belay.store.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;

/** Maps rows of dispatch/read_workers. */
public final class WorkerRows {

  private WorkerRows() {}

  /**
   * @param query dispatch/read_workers
   */
  public static Holdings holdings(Query query) {
    List<Routing.Worker> workers = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    query.map((row, context) -> read(row, workers, held)).forEach(previous -> {});
    return new Holdings(workers, held);
  }

  /** Adds the row to the workers, or its dispatches to those that are held. */
  private static boolean read(ResultSet row, List<Routing.Worker> workers, List<Held> held)
      throws SQLException {
    var id = new WorkerId(row.getObject("id", UUID.class));
    Array dispatches = row.getArray("dispatches");
    if (dispatches == null) {
      return workers.add(
          new Routing.Worker(
              id,
              new SessionId(row.getObject("session_id", UUID.class)),
              Set.copyOf(List.of((String[]) row.getArray("pools").getArray())),
              row.getInt("slots"),
              0));
    }
    UUID[] ids = (UUID[]) dispatches.getArray();
    Integer[] queues = (Integer[]) row.getArray("queues").getArray();
    for (int i = 0; i < ids.length; i++) {
      held.add(
          new Held(new DispatchId(ids[i]), id, queues[i] == null ? null : new QueueId(queues[i])));
    }
    return false;
  }
}
