package dev.belay.simulation.model;

import static dev.belay.simulation.model.MemoryExpiry.ACTOR;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.ReapStore;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.guard.Guard;
import dev.belay.simulation.model.MemoryExpiry.Found;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reaping: {@link dev.belay.store.reap.PostgresReap}. */
final class MemoryReap implements ReapStore {

  private final Tables tables;
  private final ReapSettings settings;
  private final Promises promises;
  private final MemoryResults results;
  private final MemorySigns signs;
  private final MemoryExpiry expiry;

  MemoryReap(Tables tables, ReapSettings settings, Promises promises, MemoryResults results) {
    this.tables = tables;
    this.settings = settings;
    this.promises = promises;
    this.results = results;
    this.signs = new MemorySigns(tables, settings);
    this.expiry = new MemoryExpiry(tables, settings);
  }

  @Override
  public Survey survey() {
    return signs.survey();
  }

  @Override
  public List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey) {
    return signs.readActive(workers, after, max, survey);
  }

  @Override
  public Ended end(Epoch epoch, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    return fenced(epoch, transaction -> end(transaction, endings, witnesses));
  }

  private Ended end(
      Transaction transaction, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    Set<WorkerId> stirred = stirred(transaction, endings, witnesses);
    Map<DispatchId, Ending> still = new HashMap<>();
    List<WorkerEvent.Lost> lost = new ArrayList<>();
    for (Ending ending : endings) {
      ActiveTask task = ending.task();
      if (!stirred.contains(task.worker())) {
        still.put(task.dispatch(), ending);
        lost.add(ending.lost());
      }
    }
    if (lost.isEmpty()) {
      return Ended.NOTHING;
    }
    MemoryResults.Given given = results.giveUp(transaction, lost, ACTOR);
    List<Recovered> recovered = new ArrayList<>();
    Map<String, Integer> reasons = new TreeMap<>();
    for (WorkerEvent.Lost applied : given.applied()) {
      Ending ending = still.get(applied.dispatch());
      if (ending != null) {
        recovered.add(recovered(ending));
      }
      reasons.merge(applied.reason(), 1, Integer::sum);
    }
    Recoveries.record(tables, transaction, recovered);
    return new Ended(reasons, given.planSoon());
  }

  private Recovered recovered(Ending ending) {
    RecoveryKind kind = ending.end().kind();
    return new Recovered(
        kind,
        ending.task().task(),
        null,
        ending.task().dispatch(),
        ending.task().worker(),
        ending.end().sinceSign(),
        promises.of(kind));
  }

  /** reap/lock_workers. */
  private Set<WorkerId> stirred(
      Transaction transaction, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    var workers = new TreeSet<WorkerId>();
    endings.forEach(ending -> workers.add(ending.task().worker()));
    return transaction.statement(
        statement -> {
          var stirred = new TreeSet<WorkerId>();
          for (WorkerId worker : workers) {
            var now = statement.share(tables.worker, worker, any -> true);
            boolean same =
                now.isPresent()
                    ? MemorySigns.witness(now.get()).equals(witnesses.get(worker))
                    : !witnesses.containsKey(worker);
            if (!tables.guards.pass(Guard.WITNESS, same)) {
              stirred.add(worker);
            }
          }
          return stirred;
        });
  }

  @Override
  public Expired expireDeadlines(Epoch epoch, int max) {
    List<Found> idle = found(epoch, RecoveryKind.DEADLINE_PASSED, max, expiry::expireDeadlines);
    List<Found> active = found(epoch, RecoveryKind.DEADLINE_PASSED, max, expiry::abortOverdue);
    return new Expired(idle.size(), active.size(), workers(active));
  }

  @Override
  public Expired endLongRunning(Epoch epoch, int max) {
    List<Found> active = found(epoch, RecoveryKind.RUNNING_TOO_LONG, max, expiry::abortLongRunning);
    return new Expired(0, active.size(), workers(active));
  }

  @Override
  public int replayPending(Epoch epoch, int max) {
    return found(epoch, RecoveryKind.PENDING_REPLAYED, max, expiry::replayPending).size();
  }

  @Override
  public int expireWaits(Epoch epoch, int max) {
    return found(epoch, RecoveryKind.WAIT_EXPIRED, max, expiry::expireWaits).size();
  }

  private static Set<WorkerId> workers(List<Found> found) {
    var workers = new TreeSet<WorkerId>();
    for (Found one : found) {
      if (one.worker() != null) {
        workers.add(one.worker());
      }
    }
    return workers;
  }

  private List<Found> found(
      Epoch epoch,
      RecoveryKind kind,
      int max,
      BiFunction<Statement, Integer, List<Found>> expiring) {
    return fenced(
        epoch,
        transaction -> {
          List<Found> found = transaction.statement(statement -> expiring.apply(statement, max));
          var recovered = new ArrayList<Recovered>();
          for (Found one : found) {
            recovered.add(
                new Recovered(
                    kind,
                    one.task(),
                    null,
                    one.dispatch(),
                    one.worker(),
                    one.sinceSign(),
                    promises.of(kind)));
          }
          Recoveries.record(tables, transaction, recovered);
          return found;
        });
  }

  /** reap/read_orphans. */
  @Override
  public List<Orphan> readOrphans(@Nullable RunId after, int max) {
    return tables.database.statement(
        statement -> {
          Instant quiet = statement.now().minus(settings.waits().orphan());
          Instant failing = statement.now().minus(settings.waits().orphanFails());
          Instant forgotten =
              statement.now().minus(settings.waits().orphanFails().multipliedBy(10));
          var orphans = new ArrayList<Orphan>();
          for (RunRow run : statement.rows(tables.run, RunRow::isOpen)) {
            boolean isNext = after == null || run.id.compareTo(after) > 0;
            Instant noted = run.orphanNotedAt;
            if (orphans.size() < max
                && isNext
                && (run.state == RunState.RUNNING || run.reason == null)
                && !begun(run).isAfter(quiet)
                && (noted == null || !noted.isAfter(failing))
                && isQuiet(statement, run.id, quiet)) {
              orphans.add(new Orphan(run.id, noted != null && !noted.isBefore(forgotten)));
            }
          }
          return orphans;
        });
  }

  private static Instant begun(RunRow run) {
    return run.startedAt == null ? run.createdAt : run.startedAt;
  }

  /** reap/check_orphan: nothing is to be planned, nothing goes on, and nothing did since then. */
  private boolean isQuiet(Statement statement, RunId run, Instant since) {
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
  public boolean treatOrphan(Epoch epoch, Orphan orphan) {
    if (!orphan.replanned()) {
      return fenced(epoch, transaction -> replan(transaction, orphan.run()));
    }
    try {
      return fenced(epoch, transaction -> fail(transaction, orphan.run()));
    } catch (GoesOn meanwhile) {
      return false;
    }
  }

  private boolean replan(Transaction transaction, RunId run) {
    List<Recovered> noted = transaction.statement(statement -> note(statement, run));
    Recoveries.record(tables, transaction, noted);
    return !noted.isEmpty();
  }

  /** reap/note_orphan. */
  private List<Recovered> note(Statement statement, RunId id) {
    Instant now = statement.now();
    List<TaskRow> tasks = statement.rows(tables.task, task -> id.equals(task.run));
    if (tasks.stream().anyMatch(MemoryReap::goesOn)) {
      return List.of();
    }
    var noted = new ArrayList<Recovered>();
    statement
        .update(tables.run, id, RunRow::isOpen, run -> run.orphanNotedAt = now)
        .ifPresent(
            run -> {
              Instant sign = begun(run);
              for (TaskRow task : tasks) {
                sign = task.stateSince.isAfter(sign) ? task.stateSince : sign;
              }
              tables.mark(statement, id);
              var promised = promises.of(RecoveryKind.ORPHAN_RUN);
              var since = Duration.between(sign, now);
              noted.add(
                  new Recovered(RecoveryKind.ORPHAN_RUN, null, id, null, null, since, promised));
            });
    return noted;
  }

  private boolean fail(Transaction transaction, RunId run) {
    var gate = MemoryGate.of(tables, transaction, List.of(run));
    MemorySteering.lockTasksOfRun(tables, transaction, run);
    boolean isOrphan =
        transaction.statement(
            statement -> isQuiet(statement, run, statement.now().minus(settings.waits().orphan())));
    if (!isOrphan) {
      throw new GoesOn();
    }
    transaction.statement(statement -> cancelOrphans(statement, run));
    for (RunState from : List.of(RunState.QUEUED, RunState.RUNNING)) {
      var end = new RunMove(from, RunState.FAILED, RecoveryKind.ORPHAN_RUN.reason());
      boolean failed =
          transaction.statement(
              statement -> MemoryPlanWrites.endRun(tables, statement, run, end, ACTOR));
      if (failed) {
        gate.release();
        return true;
      }
    }
    throw new GoesOn();
  }

  /** reap/cancel_orphans. */
  private int cancelOrphans(Statement statement, RunId run) {
    Instant now = statement.now();
    List<TaskRow> waiting =
        statement.rows(
            tables.task, task -> run.equals(task.run) && task.state == TaskState.WAITING);
    for (TaskRow seen : waiting) {
      statement
          .update(
              tables.task,
              seen.id,
              task -> tables.guards.pass(Guard.FROM_STATE, task.state == TaskState.WAITING),
              task -> {
                task.state = TaskState.CANCELLED;
                task.reason = "orphaned";
                task.stateSince = now;
                task.endedAt = now;
              })
          .ifPresent(
              task ->
                  tables.changed(
                      statement,
                      task,
                      TaskState.WAITING,
                      task.state,
                      task.reason,
                      ACTOR,
                      null,
                      now));
    }
    return waiting.size();
  }

  /** The run is no orphan any more: nothing that was written about it counts. */
  private static final class GoesOn extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Nobody in a simulation reads alerts: they are not kept. */
  @Override
  public void alert(Epoch epoch, String kind, String detail) {
    fenced(epoch, transaction -> true);
  }

  @Override
  public void alertLost(Epoch epoch, Collection<WorkerId> workers) {
    fenced(epoch, transaction -> true);
  }

  private <T> T fenced(Epoch epoch, Function<Transaction, T> work) {
    return tables.database.transaction(
        transaction -> {
          Fence.enter(tables, transaction, epoch);
          return work.apply(transaction);
        });
  }
}
