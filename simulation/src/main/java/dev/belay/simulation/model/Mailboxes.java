package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Assignment;
import dev.belay.session.gateway.MailboxEntry;
import java.util.Comparator;
import java.util.Optional;

/** Turns rows of active tasks into mailbox entries. */
final class Mailboxes {

  static final Comparator<TaskRow> BEST_FIRST =
      Comparator.comparingInt((TaskRow row) -> -row.priority)
          .thenComparing((TaskRow row) -> row.id);

  private final Tables tables;

  Mailboxes(Tables tables) {
    this.tables = tables;
  }

  /**
   * @param told false when the worker already has the work
   */
  MailboxEntry entry(ModelStatement statement, TaskRow task, boolean told) {
    return new MailboxEntry(
        task.id,
        requireNonNull(task.dispatch),
        requireNonNull(task.session),
        task.state == TaskState.RUNNING
            ? MailboxEntry.State.RUNNING
            : MailboxEntry.State.DISPATCHED,
        task.abortReason(),
        told ? assignment(statement, task) : Optional.empty());
  }

  private Optional<Assignment> assignment(ModelStatement statement, TaskRow task) {
    String workflow =
        task.run == null
            ? null
            : statement.read(tables.run, task.run).map(run -> run.workflow).orElse(null);
    return Optional.ofNullable(task.work)
        .map(
            work ->
                new Assignment(
                    task.tenant,
                    task.name,
                    task.run,
                    workflow,
                    task.fencingToken,
                    Optional.of(work)));
  }
}
