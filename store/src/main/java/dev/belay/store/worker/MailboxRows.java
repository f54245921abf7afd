package dev.belay.store.worker;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.spec.Work;
import dev.belay.session.gateway.Assignment;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.workflow.SpecCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps rows of active tasks to mailbox entries. */
public final class MailboxRows {

  private static final Logger log = LoggerFactory.getLogger(MailboxRows.class);

  private MailboxRows() {}

  /** Empty for a row without a task. */
  public static Optional<MailboxEntry> entry(ResultSet row) throws SQLException {
    UUID task = row.getObject("id", UUID.class);
    if (task == null) {
      return Optional.empty();
    }
    return Optional.of(
        new MailboxEntry(
            new TaskId(task),
            new DispatchId(row.getObject("dispatch_id", UUID.class)),
            new SessionId(row.getObject("session_id", UUID.class)),
            MailboxEntry.State.valueOf(row.getString("state")),
            row.getString("abort_reason"),
            assignment(row, task)));
  }

  private static Optional<Assignment> assignment(ResultSet row, UUID task) throws SQLException {
    String work = row.getString("work");
    if (work == null) {
      return Optional.empty();
    }
    UUID run = row.getObject("run_id", UUID.class);
    return Optional.of(
        new Assignment(
            row.getString("tenant"),
            row.getString("name"),
            run == null ? null : new RunId(run),
            row.getString("workflow"),
            row.getLong("fencing_token"),
            read(task, work)));
  }

  /**
   * Unreadable work must not keep other tasks from their worker. Belay delivers the task without
   * work, and the worker refuses to start it.
   */
  private static Optional<Work> read(UUID task, String json) {
    try {
      return Optional.of(SpecCodec.workFromJson(json));
    } catch (RuntimeException unreadable) {
      log.atError().addKeyValue("task", task).setCause(unreadable).log("work cannot be read");
      return Optional.empty();
    }
  }
}
