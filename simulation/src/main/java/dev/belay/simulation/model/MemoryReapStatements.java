package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.ReapStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes of the reaper, on rows. */
record MemoryReapStatements(Tables tables, Session session) implements ReapStatements {

  @Override
  public Map<WorkerId, Witness> lockWorkers(Collection<WorkerId> workers) {
    return session.statement(
        statement -> {
          var locked = new TreeMap<WorkerId, Witness>();
          for (WorkerId worker : new TreeSet<>(workers)) {
            statement
                .share(tables.worker, worker, any -> true)
                .ifPresent(row -> locked.put(worker, MemoryLivenessReads.witness(row)));
          }
          return locked;
        });
  }

  private record End(TaskState to, String reason, @Nullable Instant limit) {}

  @Override
  public List<Found> expireDeadlines(int max, String actor) {
    return session.statement(statement -> expireDeadlines(statement, max, actor));
  }

  private List<Found> expireDeadlines(ModelStatement statement, int max, String actor) {
    Instant now = statement.now();
    List<TaskRow> due =
        statement.rows(tables.task, task -> isIdle(task) && isReached(task.deadlineAt, now));
    due.sort(Comparator.comparing(task -> requireNonNull(task.deadlineAt)));
    return expire(
        statement,
        first(due, max),
        task -> isIdle(task) && isReached(task.deadlineAt, now),
        task -> new End(TaskState.TIMEOUT, "deadline_passed", task.deadlineAt),
        actor);
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

  @Override
  public List<Found> expireWaits(Duration approval, Duration deferral, int max, String actor) {
    return session.statement(
        statement ->
            expire(
                statement,
                first(overdueWaits(statement, approval, deferral), max),
                MemoryReapStatements::isAwaiting,
                task -> waitEnd(task, approval, deferral),
                actor));
  }

  private List<TaskRow> overdueWaits(
      ModelStatement statement, Duration approval, Duration deferral) {
    Instant now = statement.now();
    List<TaskRow> over =
        statement.rows(
            tables.task,
            task ->
                (task.state == TaskState.APPROVAL_REQUIRED
                        && isReached(task.stateSince.plus(approval), now))
                    || (task.state == TaskState.DEFERRED
                        && task.notBefore == null
                        && isReached(task.stateSince.plus(deferral), now)));
    over.sort(Comparator.comparing(task -> task.stateSince));
    return over;
  }

  private static boolean isAwaiting(TaskRow task) {
    return task.state == TaskState.APPROVAL_REQUIRED
        || (task.state == TaskState.DEFERRED && task.notBefore == null);
  }

  private static End waitEnd(TaskRow task, Duration approval, Duration deferral) {
    if (task.state == TaskState.APPROVAL_REQUIRED) {
      var limit = task.stateSince.plus(approval);
      return new End(TaskState.DENIED, "approval_expired", limit);
    }
    return new End(TaskState.FAILED, "deferral_expired", task.stateSince.plus(deferral));
  }

  /**
   * Locks the current row in any state, which decides the end; writes only if the snapshot has it
   * in the same state.
   */
  private List<Found> expire(
      ModelStatement statement,
      List<TaskRow> tasks,
      Predicate<TaskRow> fits,
      Function<TaskRow, End> ending,
      String actor) {
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
          task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == from && fits.test(task));
      statement
          .update(tables.task, seen.id, still, task -> write(task, end, now))
          .ifPresent(
              task -> {
                tables.stored(
                    statement, task, new Step(from, end.to(), end.reason(), actor, null, now));
                TaskState endedAs = end.to().isTerminal() ? end.to() : null;
                found.add(new Found(task.id, null, null, since(end.limit(), now), endedAs));
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

  @Override
  public List<Found> abortOverdue(int max, String actor) {
    return session.statement(
        statement ->
            abort(
                statement,
                max,
                task -> task.state.isActive() && isReached(task.deadlineAt, statement.now()),
                Abort.of(AbortReason.DEADLINE_PASSED, actor),
                task -> task.deadlineAt));
  }

  @Override
  public List<Found> abortLongRunning(Duration limit, int max, String actor) {
    return session.statement(
        statement ->
            abort(
                statement,
                max,
                task ->
                    task.state == TaskState.RUNNING
                        && isReached(task.startedAt, statement.now().minus(limit)),
                Abort.of(AbortReason.RUNNING_TOO_LONG, actor),
                task -> requireNonNull(task.startedAt).plus(limit)));
  }

  private List<Found> abort(
      ModelStatement statement,
      int max,
      Predicate<TaskRow> fits,
      Abort abort,
      Function<TaskRow, @Nullable Instant> limit) {
    var found = new ArrayList<Found>();
    int locked = 0;
    Predicate<TaskRow> abortable = task -> fits.test(task) && task.abort == null;
    for (TaskRow seen : statement.rows(tables.task, abortable)) {
      if (locked == max) {
        break;
      }
      TaskRow task = statement.lockOrSkip(tables.task, seen.id, abortable).orElse(null);
      if (task != null) {
        locked++;
        var dispatch = requireNonNull(task.dispatch);
        var since = since(limit.apply(task), statement.now());
        tables
            .abort(statement, task.id, row -> dispatch.equals(row.dispatch), abort)
            .ifPresent(row -> found.add(new Found(row.id, dispatch, row.worker, since, null)));
      }
    }
    return found;
  }

  @Override
  public Optional<Duration> noteOrphan(RunId id) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          List<TaskRow> tasks = statement.rows(tables.task, task -> id.equals(task.run));
          if (tasks.stream().anyMatch(MemoryReapStatements::goesOn)) {
            return Optional.<Duration>empty();
          }
          var noted =
              statement.update(tables.run, id, RunRow::isOpen, run -> run.orphanNotedAt = now);
          noted.ifPresent(run -> tables.mark(statement, id));
          return noted.map(run -> Duration.between(lastSign(run, tasks), now));
        });
  }

  private static Instant lastSign(RunRow run, List<TaskRow> tasks) {
    Instant sign = begun(run);
    for (TaskRow task : tasks) {
      sign = task.stateSince.isAfter(sign) ? task.stateSince : sign;
    }
    return sign;
  }

  @Override
  public boolean isOrphan(RunId run, Duration quiet) {
    return session.statement(
        statement -> isQuiet(tables, statement, run, statement.now().minus(quiet)));
  }

  static Instant begun(RunRow run) {
    return run.startedAt == null ? run.createdAt : run.startedAt;
  }

  /** No mark, no progress now, and none since then. */
  static boolean isQuiet(Tables tables, ModelStatement statement, RunId run, Instant since) {
    return statement.rows(tables.mark, mark -> !mark.postponed && mark.run.equals(run)).isEmpty()
        && statement
            .rows(
                tables.task,
                task -> run.equals(task.run) && (goesOn(task) || task.stateSince.isAfter(since)))
            .isEmpty();
  }

  private static boolean goesOn(TaskRow task) {
    return task.state != TaskState.WAITING && !task.state.isTerminal();
  }

  @Override
  public int cancelOrphans(RunId run, String actor) {
    return session.statement(statement -> cancelOrphans(statement, run, actor));
  }

  private int cancelOrphans(ModelStatement statement, RunId run, String actor) {
    Instant now = statement.now();
    List<TaskRow> waiting =
        statement.rows(
            tables.task, task -> run.equals(task.run) && task.state == TaskState.WAITING);
    for (TaskRow seen : waiting) {
      statement
          .update(
              tables.task,
              seen.id,
              task -> tables.guards.pass(RaceGuard.FROM_STATE, task.state == TaskState.WAITING),
              task -> {
                task.state = TaskState.CANCELLED;
                task.reason = "orphaned";
                task.stateSince = now;
                task.endedAt = now;
              })
          .ifPresent(
              task ->
                  tables.stored(
                      statement,
                      task,
                      new Step(TaskState.WAITING, task.state, task.reason, actor, null, now)));
    }
    return waiting.size();
  }

  /** Alerts are dropped, because no check reads them. */
  @Override
  public boolean alert(String kind, String detail) {
    return true;
  }

  @Override
  public int alertLost(Collection<WorkerId> workers) {
    return 0;
  }
}
