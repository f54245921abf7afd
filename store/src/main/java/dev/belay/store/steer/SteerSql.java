package dev.belay.store.steer;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.store.Aborts;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/** The statements of resources/sql/steer. */
public record SteerSql(Handle handle) implements SteerStatements {

  private Query query(String statement) {
    return handle.createQuery(Sql.named("steer/" + statement));
  }

  private Update update(String statement) {
    return handle.createUpdate(Sql.named("steer/" + statement));
  }

  private static <S extends SqlStatement<S>> S of(S statement, RunId run) {
    return statement.bind("run", run.value());
  }

  private static <S extends SqlStatement<S>> S of(S statement, WorkerId worker) {
    return statement.bind("worker", worker.value());
  }

  @Override
  public Optional<LockedTask> lockTask(TaskId task) {
    return query("lock_task")
        .bind("id", task.value())
        .map(
            (row, context) -> {
              UUID run = row.getObject("run_id", UUID.class);
              UUID dispatch = row.getObject("dispatch_id", UUID.class);
              UUID worker = row.getObject("worker_id", UUID.class);
              return new LockedTask(
                  TaskState.valueOf(row.getString("state")),
                  run == null ? null : new RunId(run),
                  dispatch == null ? null : new DispatchId(dispatch),
                  worker == null ? null : new WorkerId(worker),
                  Aborts.read(row),
                  Aborts.readTime(row));
            })
        .findFirst();
  }

  @Override
  public boolean stopTask(TaskId task, TaskState from, TaskState to, Abort abort) {
    return update("stop_task")
            .bind("id", task.value())
            .bind("from", from.name())
            .bind("to", to.name())
            .bind("terminal", to.isTerminal())
            .bindArray("idle", String.class, idleSourcesOf(to))
            .bind("reason", abort.described())
            .bind("actor", abort.by())
            .execute()
        > 0;
  }

  private static List<String> idleSourcesOf(TaskState to) {
    return TaskTransitions.sourcesOf(to).stream()
        .filter(state -> state.kind() == TaskState.Kind.IDLE)
        .map(Enum::name)
        .toList();
  }

  @Override
  public boolean unblockTask(TaskId task, String reason, String actor) {
    return update("unblock_task")
            .bind("id", task.value())
            .bind("reason", reason)
            .bind("actor", actor)
            .execute()
        > 0;
  }

  @Override
  public void abortDispatch(AttemptKey attempt, Abort abort) {
    Aborts.bind(update("abort_dispatch"), abort)
        .bind("task", attempt.task().value())
        .bind("dispatch", attempt.dispatch().value())
        .execute();
  }

  @Override
  public List<TaskId> lockDispatchesOfRun(RunId run) {
    return of(query("lock_dispatches_of_run"), run)
        .map((row, context) -> new TaskId(row.getObject("id", UUID.class)))
        .list();
  }

  @Override
  public Set<WorkerId> abortDispatchesOfRun(RunId run, List<TaskId> locked, Abort abort) {
    var query = of(query("abort_dispatches_of_run"), run);
    Unnest.bind(query, "tasks", UUID.class, locked, TaskId::value);
    return new HashSet<>(
        Aborts.bind(query, abort)
            .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
            .list());
  }

  @Override
  public boolean requestCancel(RunId run, String actor) {
    return of(query("request_run_cancel"), run)
        .bind("actor", actor)
        .mapTo(UUID.class)
        .findFirst()
        .isPresent();
  }

  @Override
  public Optional<RunState> findRunState(RunId run) {
    return of(query("find_run_state"), run).mapTo(RunState.class).findFirst();
  }

  @Override
  public Optional<Control> findControl(String tenant, String workflow) {
    return query("find_control")
        .bind("tenant", tenant)
        .bind("name", workflow)
        .map(
            (row, context) -> {
              var pausedAt = row.getObject("paused_at", OffsetDateTime.class);
              return new Control(
                  row.getString("tenant"),
                  row.getString("name"),
                  pausedAt != null,
                  pausedAt == null ? null : pausedAt.toInstant(),
                  row.getString("paused_by"),
                  row.getObject("max_active", Integer.class));
            })
        .findFirst();
  }

  @Override
  public boolean pause(String tenant, String workflow, String actor) {
    return update("pause_workflow")
            .bind("tenant", tenant)
            .bind("name", workflow)
            .bind("actor", actor)
            .execute()
        > 0;
  }

  @Override
  public Optional<Instant> resume(String tenant, String workflow) {
    return query("resume_workflow")
        .bind("tenant", tenant)
        .bind("name", workflow)
        .map((row, context) -> row.getObject("paused_at", OffsetDateTime.class).toInstant())
        .findFirst();
  }

  @Override
  public boolean removeWorker(WorkerId worker, Duration silence) {
    return of(update("remove_worker"), worker)
            .bind("silence_seconds", silence.toMillis() / 1000.0)
            .execute()
        > 0;
  }

  @Override
  public boolean isKnown(WorkerId worker) {
    return of(query("find_worker"), worker).mapTo(Integer.class).findOne().isPresent();
  }

  @Override
  public boolean revokeKey(WorkerId worker, String actor) {
    return of(update("revoke_key"), worker).bind("actor", actor).execute() > 0;
  }

  @Override
  public void cutWorker(WorkerId worker) {
    of(update("cut_worker"), worker).execute();
  }

  @Override
  public boolean forgetKey(WorkerId worker) {
    return of(update("forget_key"), worker).execute() > 0;
  }

  @Override
  public List<WorkerId> findWorkersNamed(String name, int max) {
    return query("find_workers_named")
        .bind("name", name)
        .bind("limit", max)
        .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
        .list();
  }
}
