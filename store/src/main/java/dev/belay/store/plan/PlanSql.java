package dev.belay.store.plan;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.queue.UnknownQueue;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.PlanStatements;
import dev.belay.store.Aborts;
import dev.belay.store.Sql;
import dev.belay.store.Timers;
import dev.belay.store.Unnest;
import dev.belay.store.intake.NewTask;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.SpecCodec;
import java.sql.Types;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The writing statements of resources/sql/plan. */
public record PlanSql(Handle handle) implements PlanStatements {

  @Override
  public int insertTasks(List<NewTask> rows, Map<TaskQueue, QueueId> queues, String actor) {
    var query = handle.createQuery(Sql.named("plan/insert_tasks")).bind("actor", actor);
    Unnest.bind(query, "ids", UUID.class, rows, row -> row.id().value());
    Unnest.bind(query, "run_ids", UUID.class, rows, row -> row.run().value());
    Unnest.bind(query, "tenants", String.class, rows, NewTask::tenant);
    Unnest.bind(query, "names", String.class, rows, row -> row.creation().task().name());
    Unnest.bind(query, "states", String.class, rows, row -> row.creation().state().name());
    Unnest.bind(
        query, "terminals", Boolean.class, rows, row -> row.creation().state().isTerminal());
    Unnest.bind(query, "priorities", Integer.class, rows, row -> row.creation().task().priority());
    Unnest.bind(query, "pools", String.class, rows, row -> row.creation().task().pool());
    Unnest.bind(query, "reasons", String.class, rows, row -> row.creation().reason());
    Unnest.bind(query, "works", String.class, rows, row -> work(row.creation().ready()));
    Unnest.bind(query, "labels", String.class, rows, row -> labels(row.creation().ready()));
    Unnest.bind(
        query, "stricts", Boolean.class, rows, row -> row.creation().task().policy().isStrict());
    Unnest.bind(
        query, "deadline_ms", Long.class, rows, row -> millis(row.creation().task().deadline()));
    Unnest.bind(query, "queues", Long.class, rows, row -> queue(row.creation().ready(), queues));
    Timers.bind(query, rows, row -> timer(row.creation().ready()));
    return query.mapTo(Integer.class).findOne().orElseThrow(UnknownQueue::new);
  }

  @Override
  public void setDeadlines(List<Deadline> deadlines) {
    var update = handle.createUpdate(Sql.named("plan/set_deadlines"));
    Unnest.bind(update, "ids", UUID.class, deadlines, deadline -> deadline.id().value());
    Unnest.bind(update, "deadline_ms", Long.class, deadlines, deadline -> millis(deadline.after()));
    update.execute();
  }

  @Override
  public Map<TaskId, TaskState> lockTasks(Collection<TaskId> tasks) {
    Map<TaskId, TaskState> locked = new HashMap<>();
    handle
        .createQuery(Sql.named("plan/lock_tasks"))
        .bindArray("tasks", UUID.class, tasks.stream().map(TaskId::value).toList())
        .map(
            (row, context) ->
                Map.entry(
                    new TaskId(row.getObject("id", UUID.class)),
                    TaskState.valueOf(row.getString("state"))))
        .forEach(entry -> locked.put(entry.getKey(), entry.getValue()));
    return locked;
  }

  @Override
  public Set<TaskId> moveTasks(List<Move> moves, Map<TaskQueue, QueueId> queues, String actor) {
    var query = handle.createQuery(Sql.named("plan/move_tasks")).bind("actor", actor);
    Unnest.bind(query, "ids", UUID.class, moves, move -> move.id().value());
    Unnest.bind(query, "generations", Integer.class, moves, Move::generation);
    Unnest.bind(query, "from_states", String.class, moves, move -> move.from().name());
    Unnest.bind(query, "to_states", String.class, moves, move -> move.to().name());
    Unnest.bind(query, "terminals", Boolean.class, moves, move -> move.to().isTerminal());
    Unnest.bind(query, "reasons", String.class, moves, Move::reason);
    Unnest.bind(query, "works", String.class, moves, move -> work(move.ready()));
    Unnest.bind(query, "labels", String.class, moves, move -> labels(move.ready()));
    Unnest.bind(query, "queues", Long.class, moves, move -> queue(move.ready(), queues));
    Timers.bind(query, moves, move -> timer(move.ready()));
    List<@Nullable UUID> moved = query.mapTo(UUID.class).list();
    if (moved.contains(null)) {
      throw new UnknownQueue();
    }
    return moved.stream().map(TaskId::new).collect(Collectors.toSet());
  }

  @Override
  public Set<WorkerId> abortTasks(Collection<TaskId> tasks, Abort abort) {
    return new HashSet<>(
        Aborts.bind(handle.createQuery(Sql.named("plan/abort_tasks")), abort)
            .bindArray("tasks", UUID.class, tasks.stream().map(TaskId::value).toList())
            .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
            .list());
  }

  @Override
  public void lockRuns(Collection<RunId> runs) {
    handle
        .createQuery(Sql.named("plan/lock_runs"))
        .bindArray("runs", UUID.class, values(runs))
        .mapTo(UUID.class)
        .list();
  }

  @Override
  public void startRuns(List<Start> runs, String actor) {
    var update = handle.createUpdate(Sql.named("plan/start_runs")).bind("actor", actor);
    Unnest.bind(update, "runs", UUID.class, runs, start -> start.run().value());
    Unnest.bind(update, "timeout_ms", Long.class, runs, PlanSql::timeoutMs);
    update.execute();
  }

  private static @Nullable Long timeoutMs(Start start) {
    Duration timeout = start.timeout();
    return timeout == null ? null : timeout.toMillis();
  }

  @Override
  public Set<RunId> endRuns(
      Map<RunId, RunMove> ends, @Nullable Collection<Long> marks, String actor) {
    var rows = List.copyOf(ends.entrySet());
    var query = handle.createQuery(Sql.named("plan/end_runs")).bind("actor", actor);
    if (marks == null) {
      query.bindNull("marks", Types.ARRAY);
    } else {
      query.bindArray("marks", Long.class, marks);
    }
    Unnest.bind(query, "ids", UUID.class, rows, row -> row.getKey().value());
    Unnest.bind(query, "from_states", String.class, rows, row -> row.getValue().from().name());
    Unnest.bind(query, "to_states", String.class, rows, row -> row.getValue().to().name());
    Unnest.bind(query, "reasons", String.class, rows, row -> row.getValue().reason());
    return new HashSet<>(
        query.map((row, context) -> new RunId(row.getObject("id", UUID.class))).list());
  }

  @Override
  public void deleteMarks(Collection<Long> marks) {
    handle
        .createUpdate(Sql.named("plan/delete_marks"))
        .bindArray("marks", Long.class, marks)
        .execute();
  }

  @Override
  public void mark(Collection<RunId> runs) {
    handle
        .createUpdate(Sql.named("plan/insert_marks"))
        .bindArray("runs", UUID.class, values(runs))
        .execute();
  }

  @Override
  public void postpone(Collection<Long> marks) {
    handle
        .createUpdate(Sql.named("plan/postpone_marks"))
        .bindArray("marks", Long.class, marks)
        .execute();
  }

  private static List<UUID> values(Collection<RunId> runs) {
    return runs.stream().map(RunId::value).toList();
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : Long.valueOf(duration.toMillis());
  }

  private static @Nullable String work(@Nullable Ready ready) {
    if (ready == null) {
      return null;
    }
    Work work = ready.work();
    return work == null
        ? SpecCodec.waitToJson(Objects.requireNonNull(ready.timer()))
        : SpecCodec.workToJson(work);
  }

  private static @Nullable Long queue(@Nullable Ready ready, Map<TaskQueue, QueueId> queues) {
    TaskQueue queue = ready == null ? null : ready.queue();
    return queue == null ? null : Long.valueOf(Objects.requireNonNull(queues.get(queue)).value());
  }

  private static @Nullable DueTime timer(@Nullable Ready ready) {
    return ready == null ? null : ready.timer();
  }

  private static @Nullable String labels(@Nullable Ready ready) {
    return ready == null ? null : JsonValues.write(ready.labels());
  }
}
