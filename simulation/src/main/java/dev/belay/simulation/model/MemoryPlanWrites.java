package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.PlanStore.PlannedRun;
import dev.belay.simulation.guard.Guard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The statements of one plan transaction: {@link dev.belay.store.plan.PlanWrites}. */
record MemoryPlanWrites(Tables tables, Transaction transaction) {

  private static final String ACTOR = "planner";

  private record NewTask(TaskId id, PlannedRun run, Creation creation) {}

  /** plan/insert_tasks. */
  int insertTasks(List<PlannedRun> plans) {
    var rows = new ArrayList<NewTask>();
    for (PlannedRun planned : plans) {
      List<Creation> creations = planned.plan().creations();
      for (int i = 0; i < creations.size(); i++) {
        rows.add(new NewTask(planned.newTasks().get(i), planned, creations.get(i)));
      }
    }
    if (rows.isEmpty()) {
      return 0;
    }
    return transaction.statement(
        statement -> {
          int created = 0;
          for (NewTask row : rows) {
            var name = new NameInRun(row.run().run().id(), row.creation().task().name());
            if (statement.insertIfAbsent(tables.taskOfRun, name, row.id())) {
              insert(statement, row);
              created++;
            }
          }
          return created;
        });
  }

  private void insert(Statement statement, NewTask row) {
    Instant now = statement.now();
    var creation = row.creation();
    var run = row.run().run();
    var spec = creation.task();
    var task =
        new TaskRow(
            row.id(),
            run.tenant(),
            run.id(),
            spec.name(),
            spec.priority(),
            spec.pool(),
            spec.policy().isStrict(),
            now);
    task.state = creation.state();
    task.reason = creation.reason();
    task.stateSince = now;
    task.endedAt = creation.state().isTerminal() ? now : null;
    if (spec.deadline() != null) {
      Instant started =
          statement.read(tables.run, run.id()).map(stored -> stored.startedAt).orElse(now);
      task.deadlineAt = started.plusMillis(spec.deadline().toMillis());
    }
    if (creation.ready() != null) {
      task.work = creation.ready().work();
    }
    statement.insert(tables.task, task.id, task);
    tables.changed(statement, task, null, task.state, task.reason, ACTOR, null, now);
  }

  /** plan/set_deadlines. */
  void setDeadlines(List<PlannedRun> plans) {
    var rows = new ArrayList<Deadline>();
    plans.forEach(planned -> rows.addAll(planned.plan().deadlines()));
    if (rows.isEmpty()) {
      return;
    }
    rows.sort(Comparator.comparing(Deadline::id));
    transaction.statement(
        statement -> {
          for (Deadline row : rows) {
            statement.update(
                tables.task,
                row.id(),
                task -> task.state == TaskState.WAITING,
                task -> task.deadlineAt = statement.now().plusMillis(row.after().toMillis()));
          }
          return rows.size();
        });
  }

  /** plan/lock_tasks. */
  Map<TaskId, TaskState> lockTasks(List<PlannedRun> plans) {
    if (plans.stream().allMatch(planned -> planned.plan().aborts().isEmpty())) {
      return Map.of();
    }
    var tasks = new TreeSet<TaskId>();
    for (PlannedRun planned : plans) {
      planned.plan().moves().forEach(move -> tasks.add(move.id()));
      tasks.addAll(planned.plan().aborts());
    }
    return transaction.statement(
        statement -> {
          var locked = new TreeMap<TaskId, TaskState>();
          for (TaskId task : tasks) {
            statement
                .lock(tables.task, task, any -> true)
                .ifPresent(row -> locked.put(task, row.state));
          }
          return locked;
        });
  }

  /** plan/move_tasks. */
  Set<TaskId> moveTasks(List<PlannedRun> plans) {
    var rows = new ArrayList<Move>();
    plans.forEach(planned -> rows.addAll(planned.plan().moves()));
    if (rows.isEmpty()) {
      return Set.of();
    }
    rows.sort(Comparator.comparing(Move::id));
    return transaction.statement(
        statement -> {
          Instant now = statement.now();
          var moved = new TreeSet<TaskId>();
          for (Move row : rows) {
            statement
                .update(
                    tables.task,
                    row.id(),
                    task -> tables.guards.pass(Guard.FROM_STATE, task.state == row.from()),
                    task -> move(task, row, now))
                .ifPresent(
                    task -> {
                      moved.add(task.id);
                      tables.changed(
                          statement, task, row.from(), row.to(), row.reason(), ACTOR, null, now);
                    });
          }
          return moved;
        });
  }

  private static void move(TaskRow task, Move row, Instant now) {
    task.state = row.to();
    task.reason = row.reason();
    task.stateSince = now;
    task.notBefore = null;
    task.endedAt = row.to().isTerminal() ? now : null;
    if (row.ready() != null) {
      task.work = row.ready().work();
    }
  }

  /** plan/abort_tasks. */
  Set<WorkerId> abortTasks(List<PlannedRun> plans) {
    var tasks = new TreeSet<TaskId>();
    plans.forEach(planned -> tasks.addAll(planned.plan().aborts()));
    if (tasks.isEmpty()) {
      return Set.of();
    }
    return transaction.statement(
        statement -> {
          var workers = new TreeSet<WorkerId>();
          for (TaskId id : tasks) {
            TaskRow task = statement.read(tables.task, id).orElse(null);
            if (task != null && task.state.isActive() && task.dispatch != null) {
              statement
                  .update(
                      tables.attempt,
                      task.dispatch,
                      attempt -> attempt.abortReason == null && attempt.endedAt == null,
                      attempt -> attempt.abortReason = AbortReason.CANCELLED.word())
                  .ifPresent(attempt -> workers.add(attempt.worker));
            }
          }
          return workers;
        });
  }

  Map<RunId, String> advanceRuns(List<PlannedRun> plans, Set<RunId> stale) {
    var starting = new TreeSet<RunId>();
    var ending = new TreeMap<RunId, RunMove>();
    for (PlannedRun planned : plans) {
      RunId run = planned.run().id();
      RunMove end = planned.plan().end();
      if (end == null && planned.run().view().state() == RunState.QUEUED) {
        starting.add(run);
      }
      if (end != null && !stale.contains(run)) {
        ending.put(run, end);
      }
    }
    if (!starting.isEmpty()) {
      lockRuns(starting);
      startRuns(starting);
    }
    if (ending.isEmpty()) {
      return Map.of();
    }
    lockRuns(ending.keySet());
    return transaction.statement(
        statement -> {
          var ended = new TreeMap<RunId, String>();
          ending.forEach(
              (run, end) -> {
                if (endRun(tables, statement, run, end, ACTOR)) {
                  ended.put(run, end.to().name());
                }
              });
          return ended;
        });
  }

  /** plan/lock_runs. */
  private void lockRuns(Collection<RunId> runs) {
    transaction.statement(
        statement -> {
          runs.forEach(run -> statement.lock(tables.run, run, any -> true));
          return runs.size();
        });
  }

  /** plan/start_runs. */
  private void startRuns(Collection<RunId> runs) {
    transaction.statement(
        statement -> {
          for (RunId id : runs) {
            statement
                .update(
                    tables.run,
                    id,
                    run -> run.state == RunState.QUEUED,
                    run -> {
                      run.state = RunState.RUNNING;
                      run.reason = null;
                      run.startedAt = statement.now();
                    })
                .ifPresent(
                    run ->
                        tables.changed(
                            statement, id, RunState.QUEUED, RunState.RUNNING, "started", ACTOR));
          }
          return runs.size();
        });
  }

  /** plan/end_runs, for one of them. What is open in it is looked for with the snapshot. */
  static boolean endRun(Tables tables, Statement statement, RunId id, RunMove end, String actor) {
    boolean isOpen =
        !statement
            .rows(tables.task, task -> id.equals(task.run) && !task.state.isTerminal())
            .isEmpty();
    if (isOpen) {
      return false;
    }
    Instant now = statement.now();
    boolean ended =
        statement
            .update(
                tables.run,
                id,
                run -> run.state == end.from(),
                run -> {
                  run.state = end.to();
                  run.reason = end.reason();
                  run.startedAt = Objects.requireNonNullElse(run.startedAt, now);
                  run.endedAt = now;
                })
            .isPresent();
    if (ended) {
      tables.changed(statement, id, end.from(), end.to(), end.reason(), actor);
    }
    return ended;
  }

  /** plan/delete_marks. */
  void deleteMarks(Collection<Long> marks, List<PlannedRun> planned) {
    transaction.statement(
        statement -> {
          var read = new TreeSet<>(marks);
          if (!tables.guards.has(Guard.MARK_BEFORE_READ)) {
            var runs = new TreeSet<RunId>();
            planned.forEach(plan -> runs.add(plan.run().id()));
            statement
                .rows(tables.mark, mark -> runs.contains(mark.run))
                .forEach(mark -> read.add(mark.id));
          }
          read.forEach(mark -> statement.delete(tables.mark, mark));
          return read.size();
        });
  }

  /** plan/insert_marks. */
  void mark(Set<RunId> runs) {
    if (!runs.isEmpty()) {
      transaction.statement(
          statement -> {
            runs.forEach(run -> tables.mark(statement, run));
            return runs.size();
          });
    }
  }
}
