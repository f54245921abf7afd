package dev.belay.store.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.port.DispatchStore.HeldSlots;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Maps rows of dispatch/read_workers. */
public final class WorkerRows {

  private WorkerRows() {}

  public static HeldSlots heldSlots(ResultSet row) throws SQLException {
    Array dispatches = row.getArray("dispatches");
    List<DispatchId> held =
        dispatches == null
            ? List.of()
            : Stream.of((UUID[]) dispatches.getArray()).map(DispatchId::new).toList();
    return new HeldSlots(
        new Routing.Worker(
            new WorkerId(row.getObject("id", UUID.class)),
            new SessionId(row.getObject("session_id", UUID.class)),
            Set.copyOf(List.of((String[]) row.getArray("pools").getArray())),
            row.getInt("slots"),
            held.size()),
        held);
  }
}
