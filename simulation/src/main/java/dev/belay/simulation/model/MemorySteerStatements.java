package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Requests of people about accepted work, on rows. */
record MemorySteerStatements(Tables tables, Session session) implements SteerStatements {

  @Override
  public Optional<LockedTask> lockTask(TaskId task) {
    return session
        .statement(statement -> statement.lock(tables.task, task, any -> true))
        .map(
            row ->
                new LockedTask(
                    row.state, row.run, row.dispatch, row.worker, row.abort, row.abortAt));
  }

  @Override
  public boolean stopTask(TaskId id, TaskState from, TaskState to, Abort abort) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var stopped =
              statement.update(
                  tables.task,
                  id,
                  task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == from),
                  task -> {
                    task.state = to;
                    task.reason = abort.described();
                    task.stateSince = now;
                    task.notBefore = to.isTerminal() ? null : task.notBefore;
                    task.endedAt = to.isTerminal() ? now : null;
                  });
          stopped.ifPresent(
              task -> {
                if (task.run != null) {
                  tables.mark(statement, task.run);
                }
                tables.stored(
                    statement,
                    task,
                    new Step(from, task.state, task.reason, requireNonNull(abort.by()), null, now));
              });
          return stopped.isPresent();
        });
  }

  @Override
  public boolean unblockTask(TaskId id, String reason, String actor) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var unblocked =
              statement.update(
                  tables.task,
                  id,
                  task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == TaskState.BLOCKED),
                  task -> {
                    task.state = TaskState.PENDING;
                    task.reason = reason;
                    task.stateSince = now;
                    boolean waits =
                        task.dispatch == null
                            && task.notBefore != null
                            && task.notBefore.isAfter(now);
                    task.notBefore = waits ? task.notBefore : now;
                    task.unavailableCount = 0;
                  });
          unblocked.ifPresent(
              task ->
                  tables.stored(
                      statement,
                      task,
                      new Step(TaskState.BLOCKED, task.state, reason, actor, null, now)));
          return unblocked.isPresent();
        });
  }

  @Override
  public void abortDispatch(AttemptKey attempt, Abort abort) {
    session.statement(statement -> abort(statement, attempt, abort));
  }

  private Optional<TaskRow> abort(ModelStatement statement, AttemptKey attempt, Abort abort) {
    return tables.abort(
        statement, attempt.task(), row -> attempt.dispatch().equals(row.dispatch), abort);
  }

  @Override
  public List<TaskId> lockDispatchesOfRun(RunId id) {
    return session.statement(
        statement ->
            statement
                .rows(tables.task, task -> id.equals(task.run) && task.state.isActive())
                .stream()
                .flatMap(
                    seen ->
                        statement
                            .lock(tables.task, seen.id, task -> task.state.isActive())
                            .stream())
                .map(task -> task.id)
                .toList());
  }

  @Override
  public Set<WorkerId> abortDispatchesOfRun(RunId id, List<TaskId> locked, Abort abort) {
    return session.statement(
        statement -> {
          var workers = new TreeSet<WorkerId>();
          if (statement
              .read(tables.run, id)
              .filter(run -> run.isOpen() && run.timedOutAt == null)
              .isEmpty()) {
            return workers;
          }
          for (TaskId seen : locked) {
            statement
                .lock(tables.task, seen, task -> task.state.isActive())
                .flatMap(
                    task ->
                        abort(
                            statement,
                            new AttemptKey(task.id, requireNonNull(task.dispatch)),
                            abort))
                .ifPresent(task -> workers.add(requireNonNull(task.worker)));
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
                  run -> run.isOpen() && run.ending() == null,
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
  public Optional<Instant> resume(String tenant, String workflow) {
    var name = new WorkflowName(tenant, workflow);
    return session.statement(
        statement ->
            statement
                .lock(tables.control, name, control -> control.pausedAt != null)
                .map(
                    control -> {
                      statement.update(
                          tables.control, name, any -> true, row -> row.pausedAt = null);
                      return Objects.requireNonNull(control.pausedAt);
                    }));
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
