package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.guard.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is over because its time is. Each method is one statement of resources/sql/reap: it finds
 * tasks by its snapshot, locks them as they are now, and writes to those that still are what they
 * were.
 */
record MemoryExpiry(Tables tables, ReapSettings settings) {

  static final String ACTOR = "reaper";

  record Found(
      TaskId task, @Nullable DispatchId dispatch, @Nullable WorkerId worker, Duration sinceSign) {}

  private record End(TaskState to, String reason, @Nullable Instant limit) {}

  /** reap/expire_deadlines. */
  List<Found> expireDeadlines(Statement statement, int max) {
    Instant now = statement.now();
    List<TaskRow> due =
        statement.rows(tables.task, task -> isIdle(task) && isReached(task.deadlineAt, now));
    due.sort(Comparator.comparing(task -> requireNonNull(task.deadlineAt)));
    return expire(
        statement,
        first(due, max),
        MemoryExpiry::isIdle,
        task -> new End(TaskState.TIMEOUT, "deadline_passed", task.deadlineAt));
  }

  private static boolean isIdle(TaskRow task) {
    return task.state.kind() == TaskState.Kind.IDLE;
  }

  private static boolean isReached(@Nullable Instant time, Instant now) {
    return time != null && !time.isAfter(now);
  }

  private static List<TaskRow> first(List<TaskRow> tasks, int max) {
    List<TaskRow> first = new ArrayList<>(tasks.subList(0, Math.min(max, tasks.size())));
    first.sort(Comparator.comparing(task -> task.id));
    return first;
  }

  /** reap/expire_waits. */
  List<Found> expireWaits(Statement statement, int max) {
    Instant now = statement.now();
    Duration approval = settings.waits().approval();
    Duration deferral = settings.waits().deferral();
    List<TaskRow> over =
        statement.rows(
            tables.task,
            task ->
                (task.state == TaskState.APPROVAL_REQUIRED
                        && isReached(task.stateSince.plus(approval), now))
                    || (task.state == TaskState.DEFERRED
                        && isReached(
                            task.notBefore == null
                                ? task.stateSince.plus(deferral)
                                : task.notBefore,
                            now)));
    over.sort(Comparator.comparing(task -> task.stateSince));
    return expire(statement, first(over, max), MemoryExpiry::isAwaiting, this::waitEnd);
  }

  private static boolean isAwaiting(TaskRow task) {
    return task.state == TaskState.APPROVAL_REQUIRED || task.state == TaskState.DEFERRED;
  }

  private End waitEnd(TaskRow task) {
    if (task.state == TaskState.APPROVAL_REQUIRED) {
      var limit = task.stateSince.plus(settings.waits().approval());
      return new End(TaskState.DENIED, "approval_expired", limit);
    }
    return task.notBefore == null
        ? new End(
            TaskState.FAILED, "deferral_expired", task.stateSince.plus(settings.waits().deferral()))
        : new End(TaskState.PENDING, "wait_over", task.notBefore);
  }

  /** reap/replay_pending. */
  List<Found> replayPending(Statement statement, int max) {
    Instant since = statement.now().minus(settings.waits().pending());
    List<TaskRow> stuck =
        statement.rows(
            tables.task,
            task ->
                task.state == TaskState.PENDING
                    && (task.notBefore == null || isReached(task.notBefore, since))
                    && isReached(task.stateSince, since));
    return expire(
        statement,
        first(stuck, max),
        task -> task.state == TaskState.PENDING,
        task -> new End(TaskState.SCHEDULED, "pending_replayed", later(task)));
  }

  private static Instant later(TaskRow task) {
    return task.notBefore != null && task.notBefore.isAfter(task.stateSince)
        ? task.notBefore
        : task.stateSince;
  }

  /**
   * What is there now is locked, whatever its state, and decides the end; it is written only if the
   * snapshot has it in the same state.
   */
  private List<Found> expire(
      Statement statement,
      List<TaskRow> tasks,
      Predicate<TaskRow> fits,
      Function<TaskRow, End> ending) {
    Instant now = statement.now();
    var found = new ArrayList<Found>();
    var runs = new TreeSet<RunId>();
    for (TaskRow seen : tasks) {
      TaskRow locked = statement.lockOrSkip(tables.task, seen.id, any -> true).orElse(null);
      if (locked == null) {
        continue;
      }
      TaskState from = locked.state;
      End end = ending.apply(locked);
      Predicate<TaskRow> still =
          task -> tables.guards.pass(Guard.FROM_STATE, task.state == from && fits.test(task));
      statement
          .update(tables.task, seen.id, still, task -> write(task, end, now))
          .ifPresent(
              task -> {
                tables.changed(statement, task, from, end.to(), end.reason(), ACTOR, null, now);
                found.add(new Found(task.id, null, null, since(end.limit(), now)));
                if (task.run != null && end.to().isTerminal()) {
                  runs.add(task.run);
                }
              });
    }
    runs.forEach(run -> tables.mark(statement, run));
    return found;
  }

  private static void write(TaskRow task, End end, Instant now) {
    task.state = end.to();
    task.reason = end.reason();
    task.stateSince = now;
    task.notBefore = end.to() == TaskState.PENDING ? now : null;
    task.endedAt = end.to().isTerminal() ? now : null;
  }

  private static Duration since(@Nullable Instant time, Instant now) {
    return time == null ? Duration.ZERO : Duration.between(time, now);
  }

  /** reap/abort_overdue. */
  List<Found> abortOverdue(Statement statement, int max) {
    Instant now = statement.now();
    return abort(
        statement,
        max,
        task -> task.state.isActive() && isReached(task.deadlineAt, now),
        AbortReason.DEADLINE_PASSED,
        task -> task.deadlineAt);
  }

  /** reap/abort_long_running. */
  List<Found> abortLongRunning(Statement statement, int max) {
    Duration limit = settings.waits().running();
    Instant before = statement.now().minus(limit);
    return abort(
        statement,
        max,
        task -> task.state == TaskState.RUNNING && isReached(task.startedAt, before),
        AbortReason.RUNNING_TOO_LONG,
        task -> requireNonNull(task.startedAt).plus(limit));
  }

  /** The attempt is joined by the snapshot, and looked at again when it is written. */
  private List<Found> abort(
      Statement statement,
      int max,
      Predicate<TaskRow> fits,
      AbortReason reason,
      Function<TaskRow, @Nullable Instant> limit) {
    var found = new ArrayList<Found>();
    int locked = 0;
    for (TaskRow seen : statement.rows(tables.task, fits)) {
      var dispatch = requireNonNull(seen.dispatch);
      boolean open =
          statement.read(tables.attempt, dispatch).filter(MemoryExpiry::isOpen).isPresent();
      if (!open || locked == max) {
        continue;
      }
      TaskRow task =
          statement
              .lockOrSkip(
                  tables.task, seen.id, now -> fits.test(now) && dispatch.equals(now.dispatch))
              .orElse(null);
      if (task != null) {
        locked++;
        var since = since(limit.apply(task), statement.now());
        statement
            .update(
                tables.attempt,
                dispatch,
                MemoryExpiry::isOpen,
                attempt -> attempt.abortReason = reason.word())
            .ifPresent(attempt -> found.add(new Found(task.id, dispatch, task.worker, since)));
      }
    }
    return found;
  }

  private static boolean isOpen(AttemptRow attempt) {
    return attempt.abortReason == null && attempt.endedAt == null;
  }
}
