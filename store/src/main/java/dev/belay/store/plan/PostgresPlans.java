package dev.belay.store.plan;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.plan.RunView.Failure;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanStore;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.gate.Gate;
import dev.belay.store.leader.Fence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Planning on PostgreSQL. */
public final class PostgresPlans implements PlanStore {

  private static final Logger log = LoggerFactory.getLogger(PostgresPlans.class);

  private final Jdbi jdbi;
  private final Function<String, Map<String, Object>> decodeParams;
  private final PlanWrites writes;

  /**
   * @param decodeParams turns the JSON of a run's parameters into values
   */
  public PostgresPlans(
      Jdbi jdbi, Function<String, Map<String, Object>> decodeParams, PlanWrites writes) {
    this.jdbi = jdbi;
    this.decodeParams = decodeParams;
    this.writes = writes;
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
                            row.getBoolean("cancel_requested"),
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

  /** One run whose parameters cannot be read must not keep the others from being planned. */
  private Map<String, Object> readParams(UUID run, String json) {
    try {
      return decodeParams.apply(json);
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
                            failure(row))))
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

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> planned, Collection<Long> marks) {
    return jdbi.inTransaction(
        handle -> {
          Fence.enter(handle, epoch);
          var gate = Gate.of(handle, runs(planned, PostgresPlans::startsOrEnds));
          Map<RunId, String> held = gate.held(runs(planned, PostgresPlans::waitsForItsTurn));
          List<PlannedRun> plans =
              planned.stream().filter(plan -> !held.containsKey(plan.run().id())).toList();
          int created = writes.insertTasks(handle, plans);
          writes.setDeadlines(handle, plans);
          Map<TaskId, TaskState> locked = writes.lockTasks(handle, plans);
          Set<TaskId> moved = writes.moveTasks(handle, plans);
          Set<WorkerId> toAbort = writes.abortTasks(handle, plans);
          Set<RunId> stale = new HashSet<>();
          int lost = 0;
          for (PlannedRun plan : plans) {
            int lostHere = lost(plan.plan(), moved, locked);
            if (lostHere > 0) {
              stale.add(plan.run().id());
              lost += lostHere;
            }
          }
          Map<RunId, String> ended = writes.advanceRuns(handle, plans, stale);
          handle
              .createUpdate(Sql.named("plan/delete_marks"))
              .bindArray("marks", Long.class, marks)
              .execute();
          mark(handle, stale);
          gate.hold(held);
          // Not when all were held: what holds them has not changed.
          int released = plans.stream().anyMatch(PostgresPlans::startsOrEnds) ? gate.release() : 0;
          return new Applied(created, ended(plans, moved), toAbort, ended, lost, released);
        });
  }

  private static Map<TaskState, Integer> ended(List<PlannedRun> plans, Set<TaskId> moved) {
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    for (PlannedRun planned : plans) {
      Stream.concat(
              planned.plan().creations().stream().map(Plan.Creation::state),
              planned.plan().moves().stream()
                  .filter(move -> moved.contains(move.id()))
                  .map(Plan.Move::to))
          .filter(TaskState::isTerminal)
          .forEach(state -> ended.merge(state, 1, Integer::sum));
    }
    return ended;
  }

  private static boolean startsOrEnds(PlannedRun planned) {
    return planned.run().view().state() == RunState.QUEUED || planned.plan().end() != null;
  }

  /** A run that nobody wants any more ends at once. */
  private static boolean waitsForItsTurn(PlannedRun planned) {
    var view = planned.run().view();
    return view.state() == RunState.QUEUED && !view.cancelRequested();
  }

  private static List<RunId> runs(List<PlannedRun> planned, Predicate<PlannedRun> which) {
    return planned.stream().filter(which).map(plan -> plan.run().id()).toList();
  }

  /** Tasks that were elsewhere than the plan believed. */
  private static int lost(Plan plan, Set<TaskId> moved, Map<TaskId, TaskState> locked) {
    long moves = plan.moves().stream().filter(move -> !moved.contains(move.id())).count();
    long aborts =
        plan.aborts().stream()
            .map(locked::get)
            .filter(state -> state == null || !state.isActive())
            .count();
    return (int) (moves + aborts);
  }

  /** They are planned again with what is true now. */
  private static void mark(Handle handle, Set<RunId> runs) {
    if (!runs.isEmpty()) {
      handle
          .createUpdate(Sql.named("plan/insert_marks"))
          .bindArray("runs", UUID.class, runs.stream().map(RunId::value).toList())
          .execute();
    }
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    String state = Retry.stateOf(failure);
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }

  @Override
  public void postpone(Epoch epoch, Collection<Long> marks) {
    jdbi.useTransaction(
        handle -> {
          Fence.enter(handle, epoch);
          handle
              .createUpdate(Sql.named("plan/postpone_marks"))
              .bindArray("marks", Long.class, marks)
              .execute();
        });
  }
}
