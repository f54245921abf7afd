package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Requests of people about accepted work, on rows. */
record MemorySteerStatements(Tables tables, Session session) implements SteerStatements {

  @Override
  public Optional<LockedTask> lockTask(TaskId task) {
    return session
        .statement(statement -> statement.lock(tables.task, task, any -> true))
        .map(row -> new LockedTask(row.state, row.run, row.dispatch, row.worker));
  }

  @Override
  public void cancelTask(TaskId id, TaskState from, String actor) {
    session.<Optional<TaskRow>>statement(
        statement -> {
          Instant now = statement.now();
          var cancelled =
              statement.update(
                  tables.task,
                  id,
                  task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == from),
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
          return cancelled;
        });
  }

  @Override
  public void abortDispatch(DispatchId dispatch) {
    session.statement(statement -> abort(statement, dispatch));
  }

  private Optional<AttemptRow> abort(ModelStatement statement, DispatchId dispatch) {
    return statement.update(
        tables.attempt,
        dispatch,
        AttemptRow::isAbortable,
        attempt -> attempt.abortReason = AbortReason.CANCELLED.word());
  }

  @Override
  public Set<WorkerId> abortDispatchesOfRun(RunId id) {
    return session.statement(
        statement -> {
          var workers = new TreeSet<WorkerId>();
          if (statement.read(tables.run, id).filter(RunRow::isOpen).isEmpty()) {
            return workers;
          }
          List<TaskRow> active =
              statement.rows(tables.task, task -> id.equals(task.run) && task.state.isActive());
          for (TaskRow seen : active) {
            statement
                .lock(tables.task, seen.id, task -> task.state.isActive())
                .flatMap(task -> abort(statement, requireNonNull(task.dispatch)))
                .ifPresent(attempt -> workers.add(attempt.worker));
          }
          return workers;
        });
  }

  @Override
  public boolean requestCancel(RunId id, String actor) {
    return session.statement(
        statement -> {
          var asked =
              statement.update(
                  tables.run,
                  id,
                  run -> run.isOpen() && run.cancelRequestedAt == null,
                  run -> run.cancelRequestedAt = statement.now());
          asked.ifPresent(run -> tables.mark(statement, id));
          return asked.isPresent();
        });
  }

  @Override
  public Optional<RunState> findRunState(RunId run) {
    return session.statement(statement -> statement.read(tables.run, run)).map(row -> row.state);
  }

  @Override
  public Optional<RunState> lockRun(RunId run) {
    return session
        .statement(statement -> statement.lock(tables.run, run, any -> true))
        .map(row -> row.state);
  }

  @Override
  public List<TaskOfRun> lockTasksOfRun(RunId run) {
    return session.statement(
        statement -> {
          var locked = new ArrayList<TaskOfRun>();
          for (TaskRow task : statement.rows(tables.task, row -> run.equals(row.run))) {
            statement
                .lock(tables.task, task.id, any -> true)
                .ifPresent(
                    row -> locked.add(new TaskOfRun(row.id, row.state, row.startedAt != null)));
          }
          return locked;
        });
  }

  @Override
  public void resetTasks(List<TaskOfRun> tasks, String actor) {
    session.<Integer>statement(
        statement -> {
          Instant now = statement.now();
          for (TaskOfRun locked : tasks) {
            statement
                .update(
                    tables.task,
                    locked.id(),
                    task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == locked.state()),
                    task -> reset(task, now))
                .ifPresent(
                    task ->
                        tables.changed(
                            statement,
                            task,
                            locked.state(),
                            TaskState.WAITING,
                            task.reason,
                            actor,
                            null,
                            now));
          }
          return tasks.size();
        });
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
    task.dispatchedAt = null;
    task.startedAt = null;
    task.endedAt = null;
  }

  @Override
  public void requeueRun(RunId id, RunState from, String actor) {
    session.<Boolean>statement(
        statement -> {
          var requeued =
              statement.update(
                  tables.run,
                  id,
                  run -> run.state == from,
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
        });
  }

  @Override
  public Optional<Control> findControl(String tenant, String workflow) {
    return session
        .statement(statement -> statement.read(tables.control, new WorkflowName(tenant, workflow)))
        .map(
            row ->
                new Control(
                    tenant, workflow, row.pausedAt != null, row.pausedAt, null, row.maxActive));
  }

  @Override
  public boolean pause(String tenant, String workflow, String actor) {
    var name = new WorkflowName(tenant, workflow);
    return session.statement(
        statement -> {
          var paused = new ControlRow(name);
          paused.pausedAt = statement.now();
          return tables.latest(statement, name).isPresent()
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

  @Override
  public boolean resume(String tenant, String workflow) {
    return session.statement(
        statement ->
            statement
                .update(
                    tables.control,
                    new WorkflowName(tenant, workflow),
                    control -> control.pausedAt != null,
                    control -> control.pausedAt = null)
                .isPresent());
  }

  @Override
  public boolean removeWorker(WorkerId id, Duration silence) {
    return session.statement(
        statement -> {
          Instant silent = statement.now().minus(silence);
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

  @Override
  public boolean isKnown(WorkerId worker) {
    return session.statement(statement -> statement.read(tables.worker, worker)).isPresent();
  }

  /** Here every worker has a key. */
  @Override
  public boolean revokeKey(WorkerId worker, String actor) {
    return session.statement(
        statement ->
            statement
                .update(tables.workerKey, worker, any -> true, key -> key.revoked = true)
                .isPresent());
  }

  @Override
  public void cutWorker(WorkerId worker) {
    session.statement(statement -> statement.delete(tables.worker, worker));
  }

  @Override
  public boolean forgetKey(WorkerId worker) {
    return session.statement(statement -> statement.delete(tables.workerKey, worker));
  }

  /** Workers have no names here. */
  @Override
  public List<WorkerId> findWorkersNamed(String name, int max) {
    return List.of();
  }
}
