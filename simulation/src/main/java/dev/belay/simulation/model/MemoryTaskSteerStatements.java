package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.steer.Steer;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.DeadLetterStatements.Retried;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Requests of people about single tasks, on rows. */
record MemoryTaskSteerStatements(Tables tables, Session session) implements TaskSteerStatements {

  @Override
  public Optional<SteeredTask> find(TaskId task) {
    return session
        .statement(statement -> statement.read(tables.task, task))
        .map(MemoryTaskSteerStatements::steered);
  }

  @Override
  public Optional<SteeredTask> lock(TaskId task) {
    return session
        .statement(statement -> statement.lock(tables.task, task, any -> true))
        .map(MemoryTaskSteerStatements::steered);
  }

  private static SteeredTask steered(TaskRow row) {
    var attempt =
        row.dispatch == null
            ? null
            : new SteeredAttempt(
                row.dispatch,
                requireNonNull(row.worker),
                row.abort == null ? null : row.abort.reason().word());
    return new SteeredTask(
        runTask(row), row.run, row.priority, row.run == null && row.work == null, attempt);
  }

  private static RunTask runTask(TaskRow row) {
    boolean skipped =
        row.reason.equals(Steer.SKIPPED) || row.reason.startsWith(Steer.SKIPPED + ": ");
    return new RunTask(
        row.id, row.name, row.state, row.generation, row.startedAt != null || skipped);
  }

  @Override
  public Optional<String> findSpec(RunId run) {
    return session.statement(
        statement ->
            statement
                .read(tables.run, run)
                .flatMap(row -> statement.read(tables.workflow, row.workflowId)));
  }

  @Override
  public List<RunTask> lockTasksOfRun(RunId run) {
    return session.statement(
        statement -> {
          var locked = new ArrayList<RunTask>();
          for (TaskRow task : statement.rows(tables.task, row -> run.equals(row.run))) {
            statement
                .lock(tables.task, task.id, any -> true)
                .ifPresent(row -> locked.add(runTask(row)));
          }
          return locked;
        });
  }

  @Override
  public Optional<LockedRun> lockRun(RunId run) {
    return session
        .statement(statement -> statement.lock(tables.run, run, any -> true))
        .map(row -> new LockedRun(row.state, row.ending()));
  }

  @Override
  public void reopen(List<RunTask> tasks, TaskState to, String reason, String actor) {
    session.<Integer>statement(
        statement -> {
          for (RunTask locked : tasks) {
            reopen(
                statement,
                locked,
                new Step(locked.state(), to, reason, actor, null, statement.now()));
          }
          return tasks.size();
        });
  }

  private void reopen(ModelStatement statement, RunTask locked, Step step) {
    Predicate<TaskRow> fits =
        task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == locked.state());
    var before = statement.read(tables.task, locked.id()).filter(fits);
    before
        .filter(task -> task.dispatch != null && leavesAttempt())
        .ifPresent(task -> tables.keepAttempt(statement, task));
    before.filter(HistoryView::endedAsUsual).ifPresent(task -> tables.storeEnd(statement, task));
    Duration allowed = before.isEmpty() ? null : allowed(statement, before.get());
    statement
        .update(tables.task, locked.id(), fits, task -> reopen(task, step, allowed))
        .ifPresent(
            task -> {
              tables.stored(statement, task, step);
              retried(statement, task, step);
            });
  }

  private void retried(ModelStatement statement, TaskRow task, Step step) {
    statement
        .rows(
            tables.deadLetter,
            letter -> letter.task().equals(task.id) && letter.generation() == task.generation - 1)
        .forEach(
            letter ->
                statement.replace(
                    tables.deadLetter,
                    letter.id(),
                    row -> row.retried() == null,
                    row -> row.retried(new Retried(task.id, step.at(), step.actor()))));
  }

  /** The time that a task without a run has in each generation. */
  private @Nullable Duration allowed(ModelStatement statement, TaskRow task) {
    if (task.run != null || task.deadlineAt == null) {
      return null;
    }
    Instant since =
        statement
            .rows(
                tables.history,
                change ->
                    change.stored()
                        && change.task().equals(task.id)
                        && change.step().from() != null
                        && change.step().from().isTerminal()
                        && !change.step().to().isTerminal())
            .stream()
            .map(change -> change.step().at())
            .max(Instant::compareTo)
            .orElse(task.createdAt);
    return Duration.between(since, task.deadlineAt);
  }

  /** Without the guard, the attempt of the earlier generation stays the current one. */
  private boolean leavesAttempt() {
    return tables.guards.has(RaceGuard.GENERATION);
  }

  private void reopen(TaskRow task, Step step, @Nullable Duration allowed) {
    task.state = step.to();
    task.reason = step.reason();
    task.generation++;
    task.errorCount = 0;
    task.lostCount = 0;
    task.crashCount = 0;
    task.unavailableCount = 0;
    task.dispatchFailedCount = 0;
    task.deadlineAt = allowed == null ? null : step.at().plus(allowed);
    task.stateSince = step.at();
    task.notBefore = step.to() == TaskState.PENDING ? step.at() : null;
    task.endedAt = null;
    if (leavesAttempt()) {
      task.clearAttempt();
    }
  }

  @Override
  public void renew(Collection<TaskId> tasks) {
    session.<Integer>statement(
        statement -> {
          for (TaskId id : new TreeSet<>(tasks)) {
            statement.update(
                tables.task,
                id,
                task -> task.state == TaskState.WAITING,
                task -> task.generation++);
          }
          return tasks.size();
        });
  }

  @Override
  public boolean move(TaskId id, TaskState from, TaskState to, String reason, String actor) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var moved =
              statement.update(
                  tables.task,
                  id,
                  task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == from),
                  task -> {
                    task.state = to;
                    task.reason = reason;
                    task.stateSince = now;
                    if (to != TaskState.BLOCKED) {
                      task.notBefore = to == TaskState.PENDING ? now : null;
                    }
                    task.endedAt = to.isTerminal() ? now : null;
                  });
          moved.ifPresent(
              task -> {
                if (task.run != null) {
                  tables.mark(statement, task.run);
                }
                tables.stored(statement, task, new Step(from, to, reason, actor, null, now));
              });
          return moved.isPresent();
        });
  }

  @Override
  public void remark(TaskId id, TaskState state, String reason, String actor) {
    session.<Boolean>statement(
        statement -> {
          statement
              .read(tables.task, id)
              .filter(task -> task.state == state)
              .ifPresent(task -> remark(statement, task, reason, actor));
          return true;
        });
  }

  private void remark(ModelStatement statement, TaskRow task, String reason, String actor) {
    tables.stored(
        statement, task, new Step(task.state, task.state, reason, actor, null, statement.now()));
  }

  @Override
  public void prioritize(RunTask locked, int priority, String reason, String actor) {
    session.<Boolean>statement(
        statement -> {
          statement
              .update(
                  tables.task,
                  locked.id(),
                  task -> task.state == locked.state(),
                  task -> task.priority = priority)
              .ifPresent(task -> remark(statement, task, reason, actor));
          return true;
        });
  }

  @Override
  public void requeueRun(RunId id, RunState from, String reason, String actor) {
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
                    run.timeoutAt = null;
                    run.timedOutAt = null;
                    run.deadlineAt = tables.deadline(statement, run.workflowId);
                    run.deadlineAlertedAt = null;
                  });
          requeued.ifPresent(
              run -> {
                tables.mark(statement, id);
                tables.changed(statement, id, from, RunState.QUEUED, reason, actor);
              });
          return requeued.isPresent();
        });
  }
}
