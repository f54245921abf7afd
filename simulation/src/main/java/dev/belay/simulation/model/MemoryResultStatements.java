package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Results, written to rows. */
record MemoryResultStatements(Tables tables, Session session) implements ResultStatements {

  private static final String SUCCESS = HistoryView.SUCCESS;

  /** The usual results have this actor, as the view history shows it. */
  private static final String ACTOR = "worker";

  @Override
  public void noteLostOutput(List<LostOutput> lost) {
    session.<Integer>statement(
        statement -> {
          for (LostOutput one : lost) {
            changePast(
                statement,
                one.attempt(),
                row -> row.worker.equals(one.worker()),
                row -> row.outputLost = one.bytes());
            statement.update(
                tables.task,
                one.attempt().task(),
                row -> isOf(row, one.attempt()) && one.worker().equals(row.worker),
                row -> row.outputLost = one.bytes());
          }
          return lost.size();
        });
  }

  private static boolean isOf(TaskRow row, AttemptKey attempt) {
    return attempt.dispatch().equals(row.dispatch);
  }

  /** Changes the attempt if it is a past one. */
  private void changePast(
      ModelStatement statement,
      AttemptKey attempt,
      Predicate<AttemptRow> fits,
      Consumer<AttemptRow> change) {
    for (NumberInTask key : tables.pastAttempts(attempt.task())) {
      statement.update(
          tables.pastAttempt,
          key,
          row -> row.dispatch.equals(attempt.dispatch()) && fits.test(row),
          change);
    }
  }

  @Override
  public UsualWritten writeUsual(List<Usual> usual) {
    List<Integer> sorted = new ArrayList<>();
    for (int position = 0; position < usual.size(); position++) {
      sorted.add(position);
    }
    sorted.sort(Comparator.comparing(position -> usual.get(position).speaker().attempt().task()));
    return session.statement(
        statement -> {
          Instant now = statement.now();
          BitSet positions = new BitSet();
          List<Moved> moved = new ArrayList<>();
          for (int position : sorted) {
            write(statement, usual.get(position), now)
                .ifPresent(
                    written -> {
                      positions.set(position);
                      moved.add(written);
                    });
          }
          return new UsualWritten(
              positions, Moved.note(tables, statement, moved, ACTOR), List.of());
        });
  }

  private Optional<Moved> write(ModelStatement statement, Usual usual, Instant now) {
    TaskState from = usual.afterStart() ? TaskState.RUNNING : TaskState.DISPATCHED;
    DispatchId dispatch = usual.speaker().attempt().dispatch();
    Optional<TaskRow> written =
        statement.update(
            tables.task,
            usual.speaker().attempt().task(),
            row -> fits(row, usual.speaker(), from),
            row -> change(row, usual, now));
    return written.map(
        task ->
            new Moved(
                task,
                dispatch,
                from,
                usual.over() && !usual.afterStart(),
                null,
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
    row.attemptEndedAt = row.endedAt;
    row.endReason = usual.over() ? SUCCESS : null;
    row.exitCode = usual.over() ? 0 : null;
    row.detail = usual.detail();
  }

  private boolean fits(TaskRow row, Speaker speaker, TaskState from) {
    return speaker.worker().equals(row.worker)
        && tables.guards.pass(
            RaceGuard.DISPATCH_ID, speaker.attempt().dispatch().equals(row.dispatch))
        && tables.guards.pass(RaceGuard.SESSION, speaker.session().equals(row.session))
        && tables.guards.pass(RaceGuard.FROM_STATE, row.state == from);
  }

  @Override
  public Map<AttemptKey, LockedTask> lock(Collection<AttemptKey> attempts) {
    List<AttemptKey> sorted = new ArrayList<>(attempts);
    sorted.sort(Comparator.comparing(AttemptKey::task));
    return session.statement(
        statement -> {
          Map<AttemptKey, LockedTask> locked = new HashMap<>();
          for (AttemptKey key : sorted) {
            statement
                .lock(tables.task, key.task(), any -> true)
                .ifPresent(task -> locked.put(key, locked(task, key.dispatch())));
          }
          return locked;
        });
  }

  private LockedTask locked(TaskRow task, DispatchId dispatch) {
    return new LockedTask(
        task.id,
        task.state,
        task.worker,
        task.session,
        tables.guards.pass(RaceGuard.DISPATCH_ID, dispatch.equals(task.dispatch)),
        task.attemptEndedAt != null,
        task.abort,
        new Tries(
            Math.toIntExact(task.fencingToken),
            task.errorCount,
            task.lostCount,
            task.crashCount,
            task.unavailableCount,
            task.dispatchFailedCount),
        null);
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
            row -> fits(row, change.guard()),
            row -> apply(change, row, now));
    return written.map(
        task ->
            new Moved(
                task,
                dispatch,
                change.guard().from(),
                change.isViaRunning(),
                change.askedBy(),
                at(task, change, now)));
  }

  private boolean fits(TaskRow row, Change.Guard guard) {
    return tables.guards.pass(RaceGuard.DISPATCH_ID, guard.dispatch().equals(row.dispatch))
        && tables.guards.pass(RaceGuard.SESSION, guard.session().equals(row.session))
        && tables.guards.pass(RaceGuard.FROM_STATE, row.state == guard.from());
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
    row.unavailableCount += change.counts(Category.UNAVAILABLE);
    row.dispatchFailedCount += change.counts(Category.DISPATCH);
    if (end != null && end.mayRunOn() != null) {
      row.leaseEndsAt = now.plus(end.mayRunOn());
    }
    if (change.isViaRunning() || change.to() == TaskState.RUNNING) {
      @Nullable Long startedMs = change.times().startedMs();
      boolean known = startedMs != null || change.to() == TaskState.RUNNING;
      row.startedAt = known ? Moved.told(startedMs, now, row.dispatchedAt) : row.dispatchedAt;
    }
    row.endedAt = change.to().isTerminal() ? at(row, change, now) : null;
    endAttempt(change, row, now);
  }

  /** The first end of an attempt stays. */
  private static void endAttempt(Change change, TaskRow row, Instant now) {
    if (row.attemptEndedAt == null) {
      row.exitCode = change.exit().code();
      row.signal = change.exit().signal();
      row.detail = change.exit().detail();
    }
    boolean first = row.attemptEndedAt == null || !change.isOver();
    if (first) {
      row.attemptEndedAt = change.isOver() ? at(row, change, now) : null;
      row.endReason = change.isOver() ? change.reason() : null;
    }
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

  @Override
  public void annotate(List<Late> late) {
    session.<Integer>statement(
        statement -> {
          for (Late one : late) {
            changePast(
                statement,
                one.attempt(),
                row -> row.lateOutcome == null,
                row -> row.lateOutcome = one.outcome());
            statement.update(
                tables.task,
                one.attempt().task(),
                row ->
                    isOf(row, one.attempt())
                        && row.attemptEndedAt != null
                        && row.lateOutcome == null,
                row -> row.lateOutcome = one.outcome());
          }
          return late.size();
        });
  }
}
