package dev.belay.store.log;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Finds the worker of a dispatch. */
public final class LogOwners {

  private final Jdbi jdbi;

  public LogOwners(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * The owner of a dispatch's log; it never changes.
   *
   * @param others the task's other dispatches, newest first
   */
  public record Owner(WorkerId worker, List<DispatchId> others) {
    public Owner {
      others = List.copyOf(others);
    }
  }

  /** Empty when the task does not exist, or had no such dispatch. */
  public Optional<Owner> find(TaskId task, DispatchId dispatch) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("log/find_owner"))
                .bind("task", task.value())
                .bind("dispatch", dispatch.value())
                .bind("limit", Reads.ROWS_MAX)
                .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                .map((row, context) -> owner(row))
                .findOne());
  }

  private static Owner owner(ResultSet row) throws SQLException {
    UUID[] others = (UUID[]) row.getArray("others").getArray();
    return new Owner(
        new WorkerId(row.getObject("worker", UUID.class)),
        Arrays.stream(others).map(DispatchId::new).toList());
  }
}
