package dev.belay.store.plan;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.PlanStore.PlannedRun;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The set-based statements of one plan transaction. Tasks are locked before runs. */
public final class PlanWrites {

  private static final String ACTOR = "planner";

  private final Function<Work, String> encodeWork;
  private final Function<Map<String, String>, String> encodeLabels;

  public PlanWrites(
      Function<Work, String> encodeWork, Function<Map<String, String>, String> encodeLabels) {
    this.encodeWork = encodeWork;
    this.encodeLabels = encodeLabels;
  }

  private record NewTask(UUID id, PlannedRun run, Creation creation) {}

  int insertTasks(Handle handle, List<PlannedRun> plans) {
    var rows = new ArrayList<NewTask>();
    for (PlannedRun planned : plans) {
      List<Creation> creations = planned.plan().creations();
      for (int i = 0; i < creations.size(); i++) {
        rows.add(new NewTask(planned.newTasks().get(i).value(), planned, creations.get(i)));
      }
    }
    if (rows.isEmpty()) {
      return 0;
    }
    var update = handle.createUpdate(Sql.named("plan/insert_tasks")).bind("actor", ACTOR);
    Arrays.bind(update, "ids", UUID.class, rows, NewTask::id);
    Arrays.bind(update, "run_ids", UUID.class, rows, row -> row.run().run().id().value());
    Arrays.bind(update, "tenants", String.class, rows, row -> row.run().run().tenant());
    Arrays.bind(update, "names", String.class, rows, row -> row.creation().task().name());
    Arrays.bind(update, "states", String.class, rows, row -> row.creation().state().name());
    Arrays.bind(
        update, "terminals", Boolean.class, rows, row -> row.creation().state().isTerminal());
    Arrays.bind(update, "priorities", Integer.class, rows, row -> row.creation().task().priority());
    Arrays.bind(update, "pools", String.class, rows, row -> row.creation().task().pool());
    Arrays.bind(update, "reasons", String.class, rows, row -> row.creation().reason());
    Arrays.bind(update, "works", String.class, rows, row -> work(row.creation().ready()));
    Arrays.bind(update, "labels", String.class, rows, row -> labels(row.creation().ready()));
    Arrays.bind(
        update, "stricts", Boolean.class, rows, row -> row.creation().task().policy().isStrict());
    Arrays.bind(
        update, "deadline_ms", Long.class, rows, row -> millis(row.creation().task().deadline()));
    return update.execute();
  }

  void setDeadlines(Handle handle, List<PlannedRun> plans) {
    List<Deadline> rows =
        plans.stream().flatMap(planned -> planned.plan().deadlines().stream()).toList();
    if (rows.isEmpty()) {
      return;
    }
    var update = handle.createUpdate(Sql.named("plan/set_deadlines"));
    Arrays.bind(update, "ids", UUID.class, rows, deadline -> deadline.id().value());
    Arrays.bind(update, "deadline_ms", Long.class, rows, deadline -> millis(deadline.after()));
    update.execute();
  }

  /**
   * What the tasks that the plans move or abort are now, and stay until this transaction is over.
   * Nobody asks when nothing is aborted: a move locks and compares by itself.
   */
  Map<TaskId, TaskState> lockTasks(Handle handle, List<PlannedRun> plans) {
    if (plans.stream().allMatch(planned -> planned.plan().aborts().isEmpty())) {
      return Map.of();
    }
    List<UUID> tasks =
        plans.stream()
            .map(PlannedRun::plan)
            .flatMap(
                plan -> Stream.concat(plan.moves().stream().map(Move::id), plan.aborts().stream()))
            .map(TaskId::value)
            .toList();
    if (tasks.isEmpty()) {
      return Map.of();
    }
    Map<TaskId, TaskState> locked = new HashMap<>();
    handle
        .createQuery(Sql.named("plan/lock_tasks"))
        .bindArray("tasks", UUID.class, tasks)
        .map(
            (row, context) ->
                Map.entry(
                    new TaskId(row.getObject("id", UUID.class)),
                    TaskState.valueOf(row.getString("state"))))
        .forEach(entry -> locked.put(entry.getKey(), entry.getValue()));
    return locked;
  }

  Set<TaskId> moveTasks(Handle handle, List<PlannedRun> plans) {
    List<Move> rows = plans.stream().flatMap(planned -> planned.plan().moves().stream()).toList();
    if (rows.isEmpty()) {
      return Set.of();
    }
    var query = handle.createQuery(Sql.named("plan/move_tasks")).bind("actor", ACTOR);
    Arrays.bind(query, "ids", UUID.class, rows, move -> move.id().value());
    Arrays.bind(query, "from_states", String.class, rows, move -> move.from().name());
    Arrays.bind(query, "to_states", String.class, rows, move -> move.to().name());
    Arrays.bind(query, "terminals", Boolean.class, rows, move -> move.to().isTerminal());
    Arrays.bind(query, "reasons", String.class, rows, Move::reason);
    Arrays.bind(query, "works", String.class, rows, move -> work(move.ready()));
    Arrays.bind(query, "labels", String.class, rows, move -> labels(move.ready()));
    return new HashSet<>(
        query.map((row, context) -> new TaskId(row.getObject("id", UUID.class))).list());
  }

  Set<WorkerId> abortTasks(Handle handle, List<PlannedRun> plans) {
    List<UUID> tasks =
        plans.stream()
            .flatMap(planned -> planned.plan().aborts().stream())
            .map(TaskId::value)
            .toList();
    if (tasks.isEmpty()) {
      return Set.of();
    }
    return new HashSet<>(
        handle
            .createQuery(Sql.named("plan/abort_tasks"))
            .bindArray("tasks", UUID.class, tasks)
            .bind("reason", AbortReason.CANCELLED.word())
            .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
            .list());
  }

  /**
   * @param stale runs whose end was reckoned with something that is not so: they do not end now
   */
  Map<RunId, String> advanceRuns(Handle handle, List<PlannedRun> plans, Set<RunId> stale) {
    List<UUID> starting =
        plans.stream()
            .filter(
                plan -> plan.run().view().state() == RunState.QUEUED && plan.plan().end() == null)
            .map(plan -> plan.run().id().value())
            .toList();
    List<PlannedRun> ending =
        plans.stream()
            .filter(plan -> plan.plan().end() != null && !stale.contains(plan.run().id()))
            .toList();
    if (!starting.isEmpty()) {
      lock(handle, starting);
      handle
          .createUpdate(Sql.named("plan/start_runs"))
          .bindArray("runs", UUID.class, starting)
          .bind("actor", ACTOR)
          .execute();
    }
    return ending.isEmpty() ? Map.of() : end(handle, ending);
  }

  private static Map<RunId, String> end(Handle handle, List<PlannedRun> ending) {
    lock(handle, ending.stream().map(planned -> planned.run().id().value()).toList());
    var query = handle.createQuery(Sql.named("plan/end_runs")).bind("actor", ACTOR);
    Arrays.bind(query, "ids", UUID.class, ending, planned -> planned.run().id().value());
    Arrays.bind(query, "from_states", String.class, ending, planned -> end(planned).from().name());
    Arrays.bind(query, "to_states", String.class, ending, planned -> end(planned).to().name());
    Arrays.bind(query, "reasons", String.class, ending, planned -> end(planned).reason());
    Map<RunId, String> ended = new HashMap<>();
    query
        .map(
            (row, context) ->
                Map.entry(new RunId(row.getObject("id", UUID.class)), row.getString("to_state")))
        .forEach(entry -> ended.put(entry.getKey(), entry.getValue()));
    return ended;
  }

  private static Plan.RunMove end(PlannedRun planned) {
    return java.util.Objects.requireNonNull(planned.plan().end());
  }

  private static void lock(Handle handle, List<UUID> runs) {
    handle
        .createQuery(Sql.named("plan/lock_runs"))
        .bindArray("runs", UUID.class, runs)
        .mapTo(UUID.class)
        .list();
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : Long.valueOf(duration.toMillis());
  }

  private @Nullable String work(@Nullable Ready ready) {
    return ready == null ? null : encodeWork.apply(ready.work());
  }

  private @Nullable String labels(@Nullable Ready ready) {
    return ready == null ? null : encodeLabels.apply(ready.labels());
  }
}
