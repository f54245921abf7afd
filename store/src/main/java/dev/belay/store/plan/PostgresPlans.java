package dev.belay.store.plan;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.plan.RunView.Failure;
import dev.belay.domain.plan.RunView.Life;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.PlanReads;
import dev.belay.store.Aborts;
import dev.belay.store.Sql;
import dev.belay.workflow.JsonValues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reads of planning, on PostgreSQL. */
public final class PostgresPlans implements PlanReads {

  private static final Logger log = LoggerFactory.getLogger(PostgresPlans.class);

  private final Jdbi jdbi;

  public PostgresPlans(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public List<Mark> readMarks(int max, Collection<RunId> except) {
    return jdbi.withHandle(
        handle ->
            marks(handle, except)
                .bind("max", max)
                .map(
                    (row, context) ->
                        new Mark(row.getLong("id"), new RunId(row.getObject("run_id", UUID.class))))
                .list());
  }

  private static Query marks(Handle handle, Collection<RunId> except) {
    return except.isEmpty()
        ? handle.createQuery(Sql.named("plan/read_marks"))
        : handle
            .createQuery(Sql.named("plan/read_marks_except"))
            .bindArray("except", UUID.class, except.stream().map(RunId::value).toList());
  }

  @Override
  public List<StoredRun> readRuns(Collection<RunId> runs) {
    List<UUID> ids = runs.stream().map(RunId::value).toList();
    return jdbi.withHandle(
        handle -> {
          Map<UUID, Map<String, TaskView>> tasks = readTasks(handle, ids);
          return handle
              .createQuery(Sql.named("plan/read_runs"))
              .bindArray("runs", UUID.class, ids)
              .map(
                  (row, context) -> {
                    var id = row.getObject("id", UUID.class);
                    String tenant = row.getString("tenant");
                    Map<String, Object> facts =
                        Map.of(
                            "id", id.toString(),
                            "workflow", row.getString("workflow"),
                            "tenant", tenant,
                            "logical_date", row.getTimestamp("logical_date").toInstant().toString(),
                            "created_at", row.getTimestamp("created_at").toInstant().toString());
                    var view =
                        new RunView(
                            RunState.valueOf(row.getString("state")),
                            Aborts.readEnding(row),
                            new Expressions.Scope(readParams(id, row.getString("params")), facts),
                            tasks.getOrDefault(id, Map.of()));
                    return new StoredRun(
                        new RunId(id),
                        tenant,
                        new WorkflowId(row.getObject("workflow_id", UUID.class)),
                        view);
                  })
              .list();
        });
  }

  /** One run with unreadable parameters must not block the planning of others. */
  private static Map<String, Object> readParams(UUID run, String json) {
    try {
      return JsonValues.readObject(json);
    } catch (RuntimeException unreadable) {
      log.atError().addKeyValue("run", run).setCause(unreadable).log("params cannot be read");
      return Map.of();
    }
  }

  private static Map<UUID, Map<String, TaskView>> readTasks(Handle handle, List<UUID> runs) {
    Map<UUID, Map<String, TaskView>> tasks = new HashMap<>();
    handle
        .createQuery(Sql.named("plan/read_tasks"))
        .bindArray("runs", UUID.class, runs)
        .setFetchSize(10_000)
        .map(
            (row, context) ->
                tasks
                    .computeIfAbsent(row.getObject("run_id", UUID.class), run -> new HashMap<>())
                    .put(
                        row.getString("name"),
                        new TaskView(
                            new TaskId(row.getObject("id", UUID.class)),
                            TaskState.valueOf(row.getString("state")),
                            failure(row),
                            new Life(row.getInt("generation"), row.getBoolean("has_deadline")))))
        .forEach(previous -> {});
    return tasks;
  }

  private static @Nullable Failure failure(ResultSet row) throws SQLException {
    String because = row.getString("failed_because");
    return because == null
        ? null
        : new Failure(because, row.getObject("failed_at", OffsetDateTime.class).toInstant());
  }

  @Override
  public String readSpec(WorkflowId workflow) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("plan/read_spec"))
                .bind("workflow", workflow.value())
                .mapTo(String.class)
                .one());
  }
}
