package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.reap.Lease;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.gateway.Assignment;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.MailboxEntry;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of active tasks as what is delivered to their worker. */
final class Mailboxes {

  static final Comparator<TaskRow> BEST_FIRST =
      Comparator.comparingInt((TaskRow row) -> -row.priority)
          .thenComparing((TaskRow row) -> row.id);

  private final Tables tables;

  Mailboxes(Tables tables) {
    this.tables = tables;
  }

  /**
   * @param told false when the worker knows what there is to do
   */
  MailboxEntry entry(
      Statement statement, TaskRow task, @Nullable String abortReason, boolean told) {
    return new MailboxEntry(
        task.id,
        requireNonNull(task.dispatch),
        requireNonNull(task.session),
        task.state == TaskState.RUNNING
            ? MailboxEntry.State.RUNNING
            : MailboxEntry.State.DISPATCHED,
        abortReason,
        told ? message(statement, task) : Dispatch.getDefaultInstance());
  }

  private Dispatch message(Statement statement, TaskRow task) {
    if (task.work == null) {
      return Dispatch.getDefaultInstance();
    }
    String workflow =
        task.run == null
            ? null
            : statement.read(tables.run, task.run).map(run -> run.workflow).orElse(null);
    return new Assignment(
            task.id,
            requireNonNull(task.dispatch),
            task.run,
            task.name,
            task.tenant,
            task.fence,
            workflow)
        .message(Optional.of(task.work), Lease.DEFAULT);
  }
}
