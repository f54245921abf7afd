package dev.belay.store.worker;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Lease;
import dev.belay.domain.spec.Work;
import dev.belay.engine.gateway.Assignment;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.MailboxEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows of active tasks as what is delivered to their worker. */
public final class MailboxRows {

  private static final Logger log = LoggerFactory.getLogger(MailboxRows.class);

  private final Function<String, Work> decodeWork;
  private final Lease lease;

  public MailboxRows(Function<String, Work> decodeWork) {
    this(decodeWork, Lease.DEFAULT);
  }

  /**
   * @param lease what strictly fenced work runs under
   */
  public MailboxRows(Function<String, Work> decodeWork, Lease lease) {
    this.decodeWork = decodeWork;
    this.lease = lease;
  }

  /** Empty for a row without a task. */
  public Optional<MailboxEntry> entry(ResultSet row) throws SQLException {
    UUID task = row.getObject("id", UUID.class);
    if (task == null) {
      return Optional.empty();
    }
    var id = new TaskId(task);
    var dispatch = new DispatchId(row.getObject("dispatch_id", UUID.class));
    return Optional.of(
        new MailboxEntry(
            id,
            dispatch,
            new SessionId(row.getObject("session_id", UUID.class)),
            MailboxEntry.State.valueOf(row.getString("state")),
            row.getString("abort_reason"),
            message(row, id, dispatch)));
  }

  private Dispatch message(ResultSet row, TaskId task, DispatchId dispatch) throws SQLException {
    String json = row.getString("work");
    if (json == null) {
      return Dispatch.getDefaultInstance();
    }
    UUID run = row.getObject("run_id", UUID.class);
    var assignment =
        new Assignment(
            task,
            dispatch,
            run == null ? null : new RunId(run),
            row.getString("name"),
            row.getString("tenant"),
            row.getLong("fence"),
            row.getString("workflow"));
    return assignment.message(read(task, json), lease);
  }

  /**
   * What cannot be read must not keep the others from their worker. It is delivered without work,
   * and the worker answers that there is nothing to start.
   */
  private Optional<Work> read(TaskId task, String json) {
    try {
      return Optional.of(decodeWork.apply(json));
    } catch (RuntimeException unreadable) {
      log.atError().addKeyValue("task", task).setCause(unreadable).log("work cannot be read");
      return Optional.empty();
    }
  }
}
