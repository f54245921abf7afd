package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.result.LockedTask;
import dev.belay.engine.result.Write;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.guard.Guard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is locked, judged and then written: the statements before and after the judgement. */
final class ResultWrites {

  private final Tables tables;

  ResultWrites(Tables tables) {
    this.tables = tables;
  }

  /** A task and one of its attempts, both locked. */
  record Locked(TaskRow task, AttemptRow attempt) {}

  /** By dispatch; one that nobody knows is missing. */
  Map<DispatchId, Locked> lock(Statement statement, Collection<DispatchId> dispatches) {
    List<AttemptRow> attempts = new ArrayList<>();
    for (DispatchId dispatch : dispatches) {
      statement.read(tables.attempt, dispatch).ifPresent(attempts::add);
    }
    attempts.sort(Comparator.comparing(attempt -> attempt.task));
    Map<DispatchId, Locked> locked = new HashMap<>();
    for (AttemptRow attempt : attempts) {
      lock(statement, attempt).ifPresent(rows -> locked.put(attempt.dispatch, rows));
    }
    return locked;
  }

  private Optional<Locked> lock(Statement statement, AttemptRow attempt) {
    return statement
        .lock(tables.task, attempt.task, any -> true)
        .flatMap(
            task -> {
              // Who does not look at the dispatch takes each report for one on the current attempt.
              DispatchId meant =
                  tables.guards.has(Guard.DISPATCH_ID) || task.dispatch == null
                      ? attempt.dispatch
                      : task.dispatch;
              return statement
                  .lock(tables.attempt, meant, any -> true)
                  .map(now -> new Locked(task, now));
            });
  }

  /** As the one who speaks is to see it. */
  LockedTask seenBy(WorkerEvent speaker, Locked locked) {
    TaskRow task = locked.task();
    UUID bound = requireNonNull(task.session).value();
    UUID session = speaker.session().value();
    return new LockedTask(
        task.id.value(),
        task.state,
        requireNonNull(task.worker).value(),
        tables.guards.pass(Guard.SESSION, session.equals(bound)) ? session : bound,
        tables.guards.pass(Guard.DISPATCH_ID, speaker.dispatch().equals(task.dispatch)),
        tables.guards.pass(Guard.GENERATION, locked.attempt().generation == task.generation),
        locked.attempt().endedAt != null,
        locked.attempt().abortReason,
        new Tries(task.errorCount, task.lostCount, task.crashCount));
  }

  /**
   * @return whether a run was marked
   */
  boolean write(Statement statement, List<Write> writes, String actor) {
    Instant now = statement.now();
    List<Moved> moved = new ArrayList<>();
    for (Write write : writes) {
      write(statement, write, now).ifPresent(moved::add);
    }
    if (moved.size() != writes.size()) {
      // The rows are locked and were judged under that lock: this cannot happen but by a bug.
      throw new IllegalStateException(
          "wrote " + moved.size() + " of " + writes.size() + " results");
    }
    return Moved.note(tables, statement, moved, actor);
  }

  private Optional<Moved> write(Statement statement, Write write, Instant now) {
    var dispatch = new DispatchId(write.dispatch());
    Optional<TaskRow> written =
        statement.update(
            tables.task,
            new TaskId(write.task()),
            row -> fits(row, write) && isOfGeneration(statement, row, dispatch),
            row -> change(row, write, now));
    written.ifPresent(
        task ->
            statement.update(
                tables.attempt,
                dispatch,
                attempt -> attempt.endedAt == null,
                attempt -> change(attempt, task, write, now)));
    return written.map(
        task -> new Moved(task, dispatch, write.from(), write.viaRunning(), at(task, write, now)));
  }

  private boolean fits(TaskRow row, Write write) {
    return tables.guards.pass(Guard.DISPATCH_ID, isIt(write.dispatch(), row.dispatch))
        && tables.guards.pass(
            Guard.SESSION, row.session != null && row.session.value().equals(write.session()))
        && tables.guards.pass(Guard.FROM_STATE, row.state == write.from());
  }

  private boolean isOfGeneration(Statement statement, TaskRow row, DispatchId dispatch) {
    return tables.guards.pass(
        Guard.GENERATION,
        statement.read(tables.attempt, dispatch).stream()
            .allMatch(attempt -> attempt.generation == row.generation));
  }

  private static boolean isIt(UUID wanted, @Nullable DispatchId dispatch) {
    return dispatch != null && dispatch.value().equals(wanted);
  }

  private static void change(TaskRow row, Write write, Instant now) {
    row.state = write.to();
    row.reason = write.reason();
    row.stateSince = now;
    row.notBefore = write.waitMs() == null ? null : now.plusMillis(write.waitMs());
    row.errorCount += write.errorMore();
    row.lostCount += write.lostMore();
    row.crashCount += write.crashMore();
    if (write.fenceMs() != null) {
      row.fencedUntil = now.plusMillis(write.fenceMs());
    }
    if (write.viaRunning() || write.to() == TaskState.RUNNING) {
      boolean known = write.startedAtMs() != null || write.to() == TaskState.RUNNING;
      row.startedAt = known ? Moved.told(write.startedAtMs(), now, row.queuedAt) : row.queuedAt;
    }
    row.endedAt = write.to().isTerminal() ? at(row, write, now) : null;
  }

  /** When the change happened that this write tells of. */
  private static Instant at(TaskRow row, Write write, Instant now) {
    if (!write.over()) {
      return requireNonNull(row.startedAt);
    }
    Instant begun = write.startedAtMs() == null ? null : Moved.told(write.startedAtMs(), now);
    return Moved.told(write.endedAtMs(), now, row.queuedAt, row.startedAt, begun);
  }

  private static void change(AttemptRow row, TaskRow task, Write write, Instant now) {
    if (row.startedAt == null) {
      row.startedAt = task.startedAt;
    }
    row.endedAt = write.over() ? at(task, write, now) : null;
    row.endReason = write.over() ? write.reason() : null;
    row.exitCode = write.exitCode();
    row.signal = write.signal();
    row.detail = write.detail();
  }

  /** What came after the attempt was over; the first one stays. */
  void annotate(Statement statement, List<Write.Late> lates) {
    for (Write.Late late : lates) {
      statement.update(
          tables.attempt,
          new DispatchId(late.dispatch()),
          row -> row.endedAt != null && row.lateOutcome == null,
          row -> row.lateOutcome = late.outcome());
    }
  }
}
