package dev.belay.simulation.model;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.Deadline;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ChainKey;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.PlanStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import dev.belay.store.intake.NewTask;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;

/** Plans, written to rows. */
record MemoryPlanStatements(Tables tables, Session session) implements PlanStatements {

  @Override
  public int insertTasks(List<NewTask> tasks, Map<TaskQueue, QueueId> queues, String actor) {
    return session.statement(
        statement -> {
          int created = 0;
          for (NewTask row : tasks) {
            var name = new NameInRun(row.run(), row.creation().task().name());
            if (statement.insertIfAbsent(tables.taskOfRun, name, row.id())) {
              insert(statement, row, queues, actor);
              created++;
            }
          }
          return created;
        });
  }

  private void insert(
      ModelStatement statement, NewTask row, Map<TaskQueue, QueueId> queues, String actor) {
    Instant now = statement.now();
    var creation = row.creation();
    var spec = creation.task();
    var task =
        new TaskRow(
            row.id(),
            row.tenant(),
            row.run(),
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
          statement.read(tables.run, row.run()).map(stored -> stored.startedAt).orElse(now);
      task.deadlineAt = started.plusMillis(spec.deadline().toMillis());
    }
    if (creation.ready() != null) {
      task.work = creation.ready().work();
      task.queue = queue(creation.ready(), queues);
      task.notBefore = TaskRow.notBefore(creation.ready().timer(), now);
    }
    statement.insert(tables.task, task.id, task);
    tables.stored(statement, task, new Step(null, task.state, task.reason, actor, null, now));
  }

  @Override
  public void setDeadlines(List<Deadline> deadlines) {
    var sorted = new ArrayList<>(deadlines);
    sorted.sort(Comparator.comparing(Deadline::id));
    session.<Integer>statement(
        statement -> {
          for (Deadline row : sorted) {
            statement.update(
                tables.task,
                row.id(),
                task -> task.state == TaskState.WAITING,
                task -> task.deadlineAt = statement.now().plusMillis(row.after().toMillis()));
          }
          return sorted.size();
        });
  }

  @Override
  public Map<TaskId, TaskState> lockTasks(Collection<TaskId> tasks) {
    return session.statement(
        statement -> {
          var locked = new TreeMap<TaskId, TaskState>();
          for (TaskId task : new TreeSet<>(tasks)) {
            statement
                .lock(tables.task, task, any -> true)
                .ifPresent(row -> locked.put(task, row.state));
          }
          return locked;
        });
  }

  @Override
  public Set<TaskId> moveTasks(List<Move> moves, Map<TaskQueue, QueueId> queues, String actor) {
    var sorted = new ArrayList<>(moves);
    sorted.sort(Comparator.comparing(Move::id));
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var moved = new TreeSet<TaskId>();
          for (Move row : sorted) {
            statement
                .update(
                    tables.task,
                    row.id(),
                    task ->
                        tables.guards.pass(RaceGuard.FROM_STATE, task.state == row.from())
                            && tables.guards.pass(
                                RaceGuard.PLANNED_GENERATION, isOfGeneration(task, row)),
                    task -> move(task, row, queues, now))
                .ifPresent(
                    task -> {
                      moved.add(task.id);
                      tables.stored(
                          statement,
                          task,
                          new Step(row.from(), row.to(), row.reason(), actor, null, now));
                    });
          }
          return moved;
        });
  }

  private static boolean isOfGeneration(TaskRow task, Move row) {
    return row.generation() == Move.ANY_GENERATION || row.generation() == task.generation;
  }

  private static @Nullable QueueId queue(Ready ready, Map<TaskQueue, QueueId> queues) {
    TaskQueue queue = ready.queue();
    return queue == null ? null : Objects.requireNonNull(queues.get(queue));
  }

  private static void move(TaskRow task, Move row, Map<TaskQueue, QueueId> queues, Instant now) {
    task.state = row.to();
    task.reason = row.reason();
    task.stateSince = now;
    task.notBefore = null;
    task.endedAt = row.to().isTerminal() ? now : null;
    if (row.ready() != null) {
      task.work = row.ready().work();
      QueueId queue = queue(row.ready(), queues);
      task.queue = queue == null ? task.queue : queue;
      task.notBefore = TaskRow.notBefore(row.ready().timer(), now);
    }
  }

  @Override
  public Set<WorkerId> abortTasks(Collection<TaskId> tasks, Abort abort) {
    return session.statement(
        statement -> {
          var workers = new TreeSet<WorkerId>();
          for (TaskId id : new TreeSet<>(tasks)) {
            tables
                .abort(statement, id, any -> true, abort)
                .ifPresent(task -> workers.add(Objects.requireNonNull(task.worker)));
          }
          return workers;
        });
  }

  @Override
  public void lockRuns(Collection<RunId> runs) {
    session.<Integer>statement(
        statement -> {
          new TreeSet<>(runs).forEach(run -> statement.lock(tables.run, run, any -> true));
          return runs.size();
        });
  }

  @Override
  public void startRuns(List<Start> runs, String actor) {
    var sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparing(Start::run));
    session.<Integer>statement(
        statement -> {
          for (Start start : sorted) {
            RunId id = start.run();
            statement
                .update(
                    tables.run,
                    id,
                    run -> run.state == RunState.QUEUED,
                    run -> {
                      run.state = RunState.RUNNING;
                      run.reason = null;
                      run.startedAt = statement.now();
                      run.timeoutAt = after(statement.now(), start.timeout());
                    })
                .ifPresent(
                    run ->
                        tables.changed(
                            statement, id, RunState.QUEUED, RunState.RUNNING, "started", actor));
          }
          return runs.size();
        });
  }

  private static @Nullable Instant after(Instant start, @Nullable Duration span) {
    return span == null ? null : start.plusMillis(span.toMillis());
  }

  @Override
  public Set<RunId> endRuns(
      Map<RunId, RunMove> ends, @Nullable Collection<Long> marks, String actor) {
    return session.statement(
        statement -> {
          var ended = new TreeSet<RunId>();
          new TreeMap<>(ends)
              .forEach(
                  (run, end) -> {
                    if (!isMarkedAgain(statement, run, marks)
                        && endRun(statement, run, end, actor)) {
                      ended.add(run);
                    }
                  });
          return ended;
        });
  }

  private boolean isMarkedAgain(
      ModelStatement statement, RunId run, @Nullable Collection<Long> marks) {
    return marks != null
        && !statement
            .rows(tables.mark, mark -> mark.run.equals(run) && !marks.contains(mark.id))
            .isEmpty();
  }

  /** Looks for open tasks in the snapshot. */
  private boolean endRun(ModelStatement statement, RunId id, RunMove end, String actor) {
    boolean isOpen =
        !statement
            .rows(tables.task, task -> id.equals(task.run) && !task.state.isTerminal())
            .isEmpty();
    if (isOpen) {
      return false;
    }
    Instant now = statement.now();
    var ended =
        statement.update(
            tables.run,
            id,
            run -> run.state == end.from(),
            run -> {
              run.state = end.to();
              run.reason = end.reason();
              run.startedAt = Objects.requireNonNullElse(run.startedAt, now);
              run.endedAt = now;
            });
    ended.ifPresent(
        run -> {
          chain(statement, run);
          tables.changed(statement, id, end.from(), end.to(), end.reason(), actor);
        });
    return ended.isPresent();
  }

  /** Triggers of the snapshot that wait for this end. */
  private void chain(ModelStatement statement, RunRow run) {
    for (TriggerVersionRow version :
        statement.rows(
            tables.triggerVersion,
            row ->
                row.kind.equals("workflow") && run.workflow.equals(row.source) && row.isLive())) {
      var trigger = statement.read(tables.trigger, version.trigger).orElseThrow();
      if (trigger.workflow().tenant().equals(run.tenant)) {
        int generation = tables.guards.has(RaceGuard.CHAIN_GENERATION) ? run.generation : 1;
        var key = new ChainKey(trigger.id(), run.id, generation);
        statement.insertIfAbsent(
            tables.chainFire,
            key,
            new ChainFireRow(
                key, version.id, run.state, run.logicalDate, run.depth(), statement.now(), null));
      }
    }
  }

  @Override
  public void deleteMarks(Collection<Long> marks) {
    session.<Integer>statement(
        statement -> {
          var deleted = new TreeSet<>(marks);
          if (!tables.guards.has(RaceGuard.MARK_BEFORE_READ)) {
            deleted.addAll(allOfTheirRuns(statement, marks));
          }
          deleted.forEach(mark -> statement.delete(tables.mark, mark));
          return deleted.size();
        });
  }

  private List<Long> allOfTheirRuns(ModelStatement statement, Collection<Long> marks) {
    var runs = new TreeSet<RunId>();
    marks.forEach(mark -> statement.read(tables.mark, mark).ifPresent(row -> runs.add(row.run)));
    return statement.rows(tables.mark, mark -> runs.contains(mark.run)).stream()
        .map(mark -> mark.id)
        .toList();
  }

  @Override
  public void mark(Collection<RunId> runs) {
    session.<Integer>statement(
        statement -> {
          runs.forEach(run -> tables.mark(statement, run));
          return runs.size();
        });
  }

  @Override
  public void postpone(Collection<Long> marks) {
    session.<Integer>statement(
        statement -> {
          var runs = new TreeSet<RunId>();
          for (Long id : new TreeSet<>(marks)) {
            var mark = statement.read(tables.mark, id);
            if (mark.isPresent() && statement.delete(tables.mark, id)) {
              runs.add(mark.get().run);
            }
          }
          runs.forEach(run -> tables.mark(statement, run, true));
          return runs.size();
        });
  }
}
