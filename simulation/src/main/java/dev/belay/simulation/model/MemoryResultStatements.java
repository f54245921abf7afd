package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results, written to rows. */
record MemoryResultStatements(Tables tables, Session session) implements ResultStatements {

  private static final String SUCCESS = "exit_code: 0";

  /** Dropped, because no check reads lost output. */
  @Override
  public void noteLostOutput(List<LostOutput> lost) {}

  @Override
  public UsualWritten writeUsual(List<Usual> usual, String actor) {
    List<Usual> sorted = new ArrayList<>(usual);
    sorted.sort(Comparator.comparing(Usual::task));
    return session.statement(
        statement -> {
          Instant now = statement.now();
          Set<Speaker> speakers = new HashSet<>();
          List<Moved> moved = new ArrayList<>();
          for (Usual one : sorted) {
            write(statement, one, now)
                .ifPresent(
                    written -> {
                      speakers.add(one.speaker());
                      moved.add(written);
                    });
          }
          return new UsualWritten(speakers, Moved.note(tables, statement, moved, actor));
        });
  }

  private Optional<Moved> write(ModelStatement statement, Usual usual, Instant now) {
    TaskState from = usual.afterStart() ? TaskState.RUNNING : TaskState.DISPATCHED;
    DispatchId dispatch = usual.speaker().dispatch();
    Optional<TaskRow> written =
        statement.update(
            tables.task,
            usual.task(),
            row -> fits(row, usual.speaker(), from),
            row -> change(row, usual, now));
    written.ifPresent(
        task ->
            statement.update(
                tables.attempt,
                dispatch,
                attempt -> attempt.endedAt == null,
                attempt -> {
                  attempt.startedAt = task.startedAt;
                  attempt.endedAt = task.endedAt;
                  attempt.endReason = usual.over() ? SUCCESS : null;
                  attempt.exitCode = usual.over() ? 0 : null;
                  attempt.detail = usual.detail();
                }));
    return written.map(
        task ->
            new Moved(
                task,
                dispatch,
                from,
                usual.over() && !usual.afterStart(),
                task.endedAt != null ? task.endedAt : requireNonNull(task.startedAt)));
  }

  private static void change(TaskRow row, Usual usual, Instant now) {
    @Nullable Long startedMs = usual.times().startedMs();
    row.state = usual.over() ? TaskState.SUCCEEDED : TaskState.RUNNING;
    row.reason = usual.over() ? SUCCESS : "started";
    row.stateSince = now;
    row.notBefore = null;
    if (row.startedAt == null) {
      row.startedAt = Moved.told(startedMs, now, row.dispatchedAt);
    }
    row.endedAt =
        usual.over()
            ? Moved.told(
                usual.times().endedMs(),
                now,
                row.dispatchedAt,
                row.startedAt,
                Moved.told(startedMs, now))
            : null;
  }

  private boolean fits(TaskRow row, Speaker speaker, TaskState from) {
    return speaker.worker().equals(row.worker)
        && tables.guards.pass(RaceGuard.DISPATCH_ID, speaker.dispatch().equals(row.dispatch))
        && tables.guards.pass(RaceGuard.SESSION, speaker.session().equals(row.session))
        && tables.guards.pass(RaceGuard.FROM_STATE, row.state == from);
  }

  @Override
  public Map<DispatchId, LockedTask> lock(Collection<DispatchId> dispatches) {
    return session.statement(
        statement -> {
          List<AttemptRow> attempts = new ArrayList<>();
          for (DispatchId dispatch : dispatches) {
            statement.read(tables.attempt, dispatch).ifPresent(attempts::add);
          }
          attempts.sort(Comparator.comparing(attempt -> attempt.task));
          Map<DispatchId, LockedTask> locked = new HashMap<>();
          for (AttemptRow attempt : attempts) {
            lock(statement, attempt).ifPresent(task -> locked.put(attempt.dispatch, task));
          }
          return locked;
        });
  }

  private Optional<LockedTask> lock(ModelStatement statement, AttemptRow attempt) {
    return statement
        .lock(tables.task, attempt.task, any -> true)
        .flatMap(
            task -> {
              // Without the guard, each result applies to the current attempt.
              DispatchId meant =
                  tables.guards.has(RaceGuard.DISPATCH_ID) || task.dispatch == null
                      ? attempt.dispatch
                      : task.dispatch;
              return statement
                  .lock(tables.attempt, meant, any -> true)
                  .map(now -> locked(task, attempt.dispatch, now));
            });
  }

  private LockedTask locked(TaskRow task, DispatchId dispatch, AttemptRow attempt) {
    return new LockedTask(
        task.id,
        task.state,
        requireNonNull(task.worker),
        requireNonNull(task.session),
        tables.guards.pass(RaceGuard.DISPATCH_ID, dispatch.equals(task.dispatch)),
        tables.guards.pass(RaceGuard.GENERATION, attempt.generation == task.generation),
        attempt.endedAt != null,
        attempt.abortReason,
        new Tries(task.errorCount, task.lostCount, task.crashCount));
  }

  @Override
  public Map<TaskId, Work> readWorks(Collection<TaskId> tasks) {
    return session.statement(
        statement -> {
          Map<TaskId, Work> works = new HashMap<>();
          for (TaskId task : tasks) {
            statement
                .read(tables.task, task)
                .map(row -> row.work)
                .ifPresent(work -> works.put(task, work));
          }
          return works;
        });
  }

  @Override
  public Changed change(List<Change> changes, String actor) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          List<Moved> moved = new ArrayList<>();
          for (Change change : changes) {
            write(statement, change, now).ifPresent(moved::add);
          }
          return new Changed(moved.size(), Moved.note(tables, statement, moved, actor));
        });
  }

  private Optional<Moved> write(ModelStatement statement, Change change, Instant now) {
    DispatchId dispatch = change.guard().dispatch();
    Optional<TaskRow> written =
        statement.update(
            tables.task,
            change.guard().task(),
            row -> fits(row, change.guard()) && isOfGeneration(statement, row, dispatch),
            row -> apply(change, row, now));
    written.ifPresent(
        task ->
            statement.update(
                tables.attempt,
                dispatch,
                attempt -> attempt.endedAt == null,
                attempt -> apply(change, attempt, task, now)));
    return written.map(
        task ->
            new Moved(
                task,
                dispatch,
                change.guard().from(),
                change.isViaRunning(),
                at(task, change, now)));
  }

  private boolean fits(TaskRow row, Change.Guard guard) {
    return tables.guards.pass(RaceGuard.DISPATCH_ID, guard.dispatch().equals(row.dispatch))
        && tables.guards.pass(RaceGuard.SESSION, guard.session().equals(row.session))
        && tables.guards.pass(RaceGuard.FROM_STATE, row.state == guard.from());
  }

  private boolean isOfGeneration(ModelStatement statement, TaskRow row, DispatchId dispatch) {
    return tables.guards.pass(
        RaceGuard.GENERATION,
        statement.read(tables.attempt, dispatch).stream()
            .allMatch(attempt -> attempt.generation == row.generation));
  }

  private static void apply(Change change, TaskRow row, Instant now) {
    Change.AttemptEnd end = change.end();
    row.state = change.to();
    row.reason = change.reason();
    row.stateSince = now;
    row.notBefore = end == null || end.delay() == null ? null : now.plus(end.delay());
    row.errorCount += change.counts(Category.ERROR);
    row.lostCount += change.counts(Category.LOST);
    row.crashCount += change.counts(Category.CRASH);
    if (end != null && end.mayRunOn() != null) {
      row.leaseEndsAt = now.plus(end.mayRunOn());
    }
    if (change.isViaRunning() || change.to() == TaskState.RUNNING) {
      @Nullable Long startedMs = change.times().startedMs();
      boolean known = startedMs != null || change.to() == TaskState.RUNNING;
      row.startedAt = known ? Moved.told(startedMs, now, row.dispatchedAt) : row.dispatchedAt;
    }
    row.endedAt = change.to().isTerminal() ? at(row, change, now) : null;
  }

  /** The time of the event that this change reports. */
  private static Instant at(TaskRow row, Change change, Instant now) {
    if (!change.isOver()) {
      return requireNonNull(row.startedAt);
    }
    @Nullable Long startedMs = change.times().startedMs();
    Instant begun = startedMs == null ? null : Moved.told(startedMs, now);
    return Moved.told(change.times().endedMs(), now, row.dispatchedAt, row.startedAt, begun);
  }

  private static void apply(Change change, AttemptRow row, TaskRow task, Instant now) {
    if (row.startedAt == null) {
      row.startedAt = task.startedAt;
    }
    row.endedAt = change.isOver() ? at(task, change, now) : null;
    row.endReason = change.isOver() ? change.reason() : null;
    row.exitCode = change.exit().code();
    row.signal = change.exit().signal();
    row.detail = change.exit().detail();
  }

  @Override
  public void annotate(List<Late> late) {
    session.<Integer>statement(
        statement -> {
          for (Late one : late) {
            statement.update(
                tables.attempt,
                one.dispatch(),
                row -> row.endedAt != null && row.lateOutcome == null,
                row -> row.lateOutcome = one.outcome());
          }
          return late.size();
        });
  }
}
