package dev.belay.store.steer;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.store.Aborts;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The statements of resources/sql/steer about single tasks. */
public record TaskSteerSql(Handle handle) implements TaskSteerStatements {

  private Query query(String statement) {
    return handle.createQuery(Sql.named("steer/" + statement));
  }

  private Update update(String statement) {
    return handle.createUpdate(Sql.named("steer/" + statement));
  }

  @Override
  public Optional<SteeredTask> find(TaskId task) {
    return steered("find_steered_task", task);
  }

  @Override
  public Optional<SteeredTask> lock(TaskId task) {
    return steered("lock_steered_task", task);
  }

  private Optional<SteeredTask> steered(String statement, TaskId task) {
    return query(statement)
        .bind("id", task.value())
        .map(
            (row, context) -> {
              UUID run = row.getObject("run_id", UUID.class);
              return new SteeredTask(
                  task(row),
                  run == null ? null : new RunId(run),
                  row.getInt("priority"),
                  row.getBoolean("only_waits"),
                  attempt(row));
            })
        .findFirst();
  }

  private static @Nullable SteeredAttempt attempt(ResultSet row) throws SQLException {
    UUID dispatch = row.getObject("dispatch_id", UUID.class);
    return dispatch == null
        ? null
        : new SteeredAttempt(
            new DispatchId(dispatch),
            new WorkerId(row.getObject("worker_id", UUID.class)),
            row.getString("abort_reason"));
  }

  private static RunTask task(ResultSet row) throws SQLException {
    return new RunTask(
        new TaskId(row.getObject("id", UUID.class)),
        row.getString("name"),
        TaskState.valueOf(row.getString("state")),
        row.getInt("generation"),
        row.getBoolean("settled"));
  }

  @Override
  public Optional<String> findSpec(RunId run) {
    return query("find_run_spec").bind("run", run.value()).mapTo(String.class).findFirst();
  }

  @Override
  public List<RunTask> lockTasksOfRun(RunId run) {
    return query("lock_run_tasks").bind("run", run.value()).map((row, context) -> task(row)).list();
  }

  @Override
  public Optional<LockedRun> lockRun(RunId run) {
    return query("lock_steered_run")
        .bind("run", run.value())
        .map(
            (row, context) ->
                new LockedRun(RunState.valueOf(row.getString("state")), Aborts.readEnding(row)))
        .findFirst();
  }

  @Override
  public void reopen(List<RunTask> tasks, TaskState to, String reason, String actor) {
    var update =
        update("reopen_tasks").bind("to", to.name()).bind("reason", reason).bind("actor", actor);
    Unnest.bind(update, "ids", UUID.class, tasks, task -> task.id().value());
    Unnest.bind(update, "from_states", String.class, tasks, task -> task.state().name());
    update.execute();
  }

  @Override
  public void renew(Collection<TaskId> tasks) {
    update("renew_tasks")
        .bindArray("tasks", UUID.class, tasks.stream().map(TaskId::value).toList())
        .execute();
  }

  @Override
  public boolean move(TaskId task, TaskState from, TaskState to, String reason, String actor) {
    return update("move_task")
            .bind("id", task.value())
            .bind("from", from.name())
            .bind("to", to.name())
            .bind("terminal", to.isTerminal())
            .bind("reason", reason)
            .bind("actor", actor)
            .execute()
        > 0;
  }

  @Override
  public void remark(TaskId task, TaskState state, String reason, String actor) {
    update("remark_task")
        .bind("id", task.value())
        .bind("state", state.name())
        .bind("reason", reason)
        .bind("actor", actor)
        .execute();
  }

  @Override
  public void prioritize(RunTask task, int priority, String reason, String actor) {
    update("prioritize_task")
        .bind("id", task.id().value())
        .bind("state", task.state().name())
        .bind("priority", priority)
        .bind("reason", reason)
        .bind("actor", actor)
        .execute();
  }

  @Override
  public void requeueRun(RunId run, RunState from, String reason, String actor) {
    update("requeue_run")
        .bind("run", run.value())
        .bind("from", from.name())
        .bind("reason", reason)
        .bind("actor", actor)
        .execute();
  }
}
