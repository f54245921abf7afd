package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Retries;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.port.Hints;
import dev.belay.simulation.guard.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What people ask of work that was accepted: {@link dev.belay.store.steer.Steering}. */
record MemorySteering(Tables tables, Hints hints, String actor) {

  private static final Duration REMOVABLE_SILENCE = Duration.ofSeconds(30);

  private static final Set<TaskState> CANCELLABLE = TaskTransitions.sourcesOf(TaskState.CANCELLED);

  void cancelTask(TaskId id) {
    var workers = new TreeSet<WorkerId>();
    boolean runChanged =
        tables.database.transaction(transaction -> cancelTask(transaction, id, workers));
    hint(workers, runChanged);
  }

  private void hint(Set<WorkerId> workers, boolean runChanged) {
    workers.forEach(hints::mailbox);
    if (runChanged) {
      hints.runChanged();
    }
  }

  private boolean cancelTask(Transaction transaction, TaskId id, Set<WorkerId> workers) {
    // steer/lock_task
    TaskRow locked =
        transaction
            .statement(statement -> statement.lock(tables.task, id, any -> true))
            .orElse(null);
    if (locked == null) {
      return false;
    }
    return switch (locked.state.kind()) {
      case IDLE -> {
        transaction.statement(statement -> cancel(statement, id, locked.state));
        yield locked.run != null;
      }
      case ACTIVE -> {
        var dispatch = requireNonNull(locked.dispatch);
        // steer/abort_dispatch
        transaction.statement(
            statement ->
                statement.update(
                    tables.attempt, dispatch, MemorySteering::isOpen, MemorySteering::abort));
        workers.add(requireNonNull(locked.worker));
        yield false;
      }
      case TERMINAL -> false;
    };
  }

  private static boolean isOpen(AttemptRow attempt) {
    return attempt.abortReason == null && attempt.endedAt == null;
  }

  private static void abort(AttemptRow attempt) {
    attempt.abortReason = AbortReason.CANCELLED.word();
  }

  /** steer/cancel_task. */
  private boolean cancel(Statement statement, TaskId id, TaskState from) {
    Instant now = statement.now();
    var cancelled =
        statement.update(
            tables.task,
            id,
            task ->
                tables.guards.pass(
                    Guard.FROM_STATE, task.state == from && CANCELLABLE.contains(task.state)),
            task -> {
              task.state = TaskState.CANCELLED;
              task.reason = "cancelled";
              task.stateSince = now;
              task.endedAt = now;
            });
    cancelled.ifPresent(
        task -> {
          if (task.run != null) {
            tables.mark(statement, task.run);
          }
          tables.changed(statement, task, from, task.state, task.reason, actor, null, now);
        });
    return cancelled.isPresent();
  }

  void cancelRun(RunId id) {
    var workers = new TreeSet<WorkerId>();
    boolean asked =
        tables.database.transaction(
            transaction -> {
              workers.addAll(transaction.statement(statement -> abortDispatches(statement, id)));
              return transaction.statement(statement -> requestCancel(statement, id));
            });
    hint(workers, asked);
  }

  /** steer/abort_dispatches_of_run. */
  private Set<WorkerId> abortDispatches(Statement statement, RunId id) {
    var workers = new TreeSet<WorkerId>();
    if (statement.read(tables.run, id).filter(RunRow::isOpen).isEmpty()) {
      return workers;
    }
    List<TaskRow> active =
        statement.rows(tables.task, task -> id.equals(task.run) && task.state.isActive());
    for (TaskRow seen : active) {
      statement
          .lock(tables.task, seen.id, task -> task.state.isActive())
          .ifPresent(
              task ->
                  statement
                      .update(
                          tables.attempt,
                          requireNonNull(task.dispatch),
                          MemorySteering::isOpen,
                          MemorySteering::abort)
                      .ifPresent(attempt -> workers.add(requireNonNull(task.worker))));
    }
    return workers;
  }

  /** steer/request_run_cancel. */
  private boolean requestCancel(Statement statement, RunId id) {
    var asked =
        statement.update(
            tables.run,
            id,
            run -> run.isOpen() && run.cancelRequestedAt == null,
            run -> run.cancelRequestedAt = statement.now());
    asked.ifPresent(run -> tables.mark(statement, id));
    return asked.isPresent();
  }

  /** steer/pause_workflow. */
  void pause(WorkflowName name) {
    tables.database.statement(
        statement -> {
          boolean known = tables.latest(statement, name).isPresent();
          var paused = new ControlRow(name);
          paused.pausedAt = statement.now();
          return known
              && statement
                  .upsert(
                      tables.control,
                      name,
                      paused,
                      control -> control.pausedAt == null,
                      control -> control.pausedAt = statement.now())
                  .isPresent();
        });
  }

  void resume(WorkflowName name) {
    tables.database.<Integer>transaction(
        transaction -> {
          // steer/resume_workflow
          boolean resumed =
              transaction.statement(
                  statement ->
                      statement
                          .update(
                              tables.control,
                              name,
                              control -> control.pausedAt != null,
                              control -> control.pausedAt = null)
                          .isPresent());
          return resumed ? MemoryGate.ofWritten(tables, transaction, name).release() : 0;
        });
    hints.runChanged();
  }

  boolean retryRun(RunId id) {
    boolean done = tables.database.transaction(transaction -> retry(transaction, id));
    if (done) {
      hints.runChanged();
    }
    return done;
  }

  private boolean retry(Transaction transaction, RunId id) {
    // steer/find_run_state
    var seen = transaction.statement(statement -> statement.read(tables.run, id));
    if (seen.filter(MemorySteering::isRetried).isEmpty()) {
      return false;
    }
    List<TaskRow> tasks = lockTasksOfRun(tables, transaction, id);
    // steer/lock_run
    var locked = transaction.statement(statement -> statement.lock(tables.run, id, any -> true));
    if (locked.filter(MemorySteering::isRetried).isEmpty()) {
      return false;
    }
    var reset = new ArrayList<TaskRow>();
    for (TaskRow task : tasks) {
      if (Retries.resets(task.state, task.startedAt != null)) {
        reset.add(task);
      }
    }
    if (!reset.isEmpty()) {
      transaction.statement(statement -> reset(statement, reset));
    }
    transaction.statement(statement -> requeue(statement, id, locked.get().state));
    return true;
  }

  private static boolean isRetried(RunRow run) {
    return switch (run.state) {
      case FAILED, CANCELLED -> true;
      case QUEUED, RUNNING, SUCCEEDED -> false;
    };
  }

  /** steer/lock_tasks_of_run. */
  static List<TaskRow> lockTasksOfRun(Tables tables, Transaction transaction, RunId run) {
    return transaction.statement(
        statement -> {
          var locked = new ArrayList<TaskRow>();
          for (TaskRow task : statement.rows(tables.task, row -> run.equals(row.run))) {
            statement.lock(tables.task, task.id, any -> true).ifPresent(locked::add);
          }
          return locked;
        });
  }

  /** steer/reset_tasks. */
  private int reset(Statement statement, List<TaskRow> tasks) {
    Instant now = statement.now();
    for (TaskRow locked : tasks) {
      TaskState from = locked.state;
      TaskTransitions.require(from, TaskState.WAITING);
      statement
          .update(
              tables.task,
              locked.id,
              task -> tables.guards.pass(Guard.FROM_STATE, task.state == from),
              task -> reset(task, now))
          .ifPresent(
              task ->
                  tables.changed(
                      statement, task, from, TaskState.WAITING, task.reason, actor, null, now));
    }
    return tasks.size();
  }

  private static void reset(TaskRow task, Instant now) {
    task.state = TaskState.WAITING;
    task.reason = "retried";
    task.generation++;
    task.errorCount = 0;
    task.lostCount = 0;
    task.crashCount = 0;
    task.deadlineAt = null;
    task.stateSince = now;
    task.notBefore = null;
    task.queuedAt = null;
    task.startedAt = null;
    task.endedAt = null;
  }

  /** steer/requeue_run. */
  private boolean requeue(Statement statement, RunId id, RunState from) {
    var requeued =
        statement.update(
            tables.run,
            id,
            run -> run.state == from && isRetried(run),
            run -> {
              run.state = RunState.QUEUED;
              run.reason = null;
              run.generation++;
              run.startedAt = null;
              run.endedAt = null;
              run.cancelRequestedAt = null;
            });
    requeued.ifPresent(
        run -> {
          tables.mark(statement, id);
          tables.changed(statement, id, from, RunState.QUEUED, "retried", actor);
        });
    return requeued.isPresent();
  }

  /** steer/remove_worker. */
  boolean removeWorker(WorkerId id) {
    return tables.database.statement(
        statement -> {
          Instant silent = statement.now().minus(REMOVABLE_SILENCE);
          return statement
                  .lock(
                      tables.worker,
                      id,
                      worker ->
                          worker.state.equals("DISCONNECTED") || !worker.lastSeenAt.isAfter(silent))
                  .isPresent()
              && statement.delete(tables.worker, id);
        });
  }
}
