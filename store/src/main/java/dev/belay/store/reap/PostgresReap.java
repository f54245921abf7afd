package dev.belay.store.reap;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapStore;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.gate.Gate;
import dev.belay.store.leader.Fence;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.recovery.Recoveries;
import dev.belay.store.result.PostgresResults;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Reaping on PostgreSQL. */
public final class PostgresReap implements ReapStore {

  private static final String ACTOR = "reaper";
  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;
  private final ReapSettings settings;
  private final Promises promises;
  private final PostgresResults results;
  private final Meters meters;
  private final Signs signs;
  private final DueLook due;

  /**
   * @param meters told of recoveries after their commit
   */
  public PostgresReap(
      Jdbi jdbi, ReapSettings settings, Promises promises, PostgresResults results, Meters meters) {
    this.jdbi = jdbi;
    this.settings = settings;
    this.promises = promises;
    this.results = results;
    this.meters = meters;
    this.signs = new Signs(settings);
    this.due = new DueLook(settings);
  }

  @Override
  public Survey survey() {
    return jdbi.withHandle(signs::survey);
  }

  @Override
  public void look() {
    due.forget();
    jdbi.useHandle(due::look);
  }

  @Override
  public List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey) {
    UUID from = after == null ? FIRST : after.value();
    return jdbi.withHandle(handle -> signs.readActive(handle, workers, from, max, survey));
  }

  @Override
  public Ended end(Epoch epoch, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    List<Recovered> recovered = new ArrayList<>();
    Map<TaskState, Integer> completed = new EnumMap<>(TaskState.class);
    Ended ended =
        fenced(
            epoch,
            handle -> {
              recovered.clear();
              completed.clear();
              return end(handle, endings, witnesses, recovered, completed);
            });
    tell(recovered);
    completed.forEach(meters::completed);
    return ended;
  }

  private Ended end(
      Handle handle,
      List<Ending> endings,
      Map<WorkerId, Witness> witnesses,
      List<Recovered> recovered,
      Map<TaskState, Integer> completed) {
    Set<WorkerId> stirred = stirred(handle, endings, witnesses);
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
    PostgresResults.Given given = results.giveUp(handle, lost, ACTOR);
    for (WorkerEvent.Lost applied : given.applied()) {
      Ending ending = still.get(applied.dispatch());
      if (ending != null) {
        recovered.add(recovered(ending));
      }
    }
    Recoveries.record(handle, recovered);
    completed.putAll(given.ended());
    Map<String, Integer> reasons = new TreeMap<>();
    given.applied().forEach(applied -> reasons.merge(applied.reason(), 1, Integer::sum));
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

  /** Workers that have given a sign since they were judged; the others cannot until the commit. */
  private static Set<WorkerId> stirred(
      Handle handle, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    Set<WorkerId> workers = new HashSet<>();
    endings.forEach(ending -> workers.add(ending.task().worker()));
    Map<WorkerId, Witness> now = new HashMap<>();
    handle
        .createQuery(Sql.named("reap/lock_workers"))
        .bindArray("workers", UUID.class, workers.stream().map(WorkerId::value).toList())
        .map(
            (row, context) ->
                Map.entry(new WorkerId(row.getObject("id", UUID.class)), Signs.witness(row)))
        .forEach(entry -> now.put(entry.getKey(), entry.getValue()));
    workers.removeIf(
        worker ->
            Optional.ofNullable(now.get(worker))
                .equals(Optional.ofNullable(witnesses.get(worker))));
    return workers;
  }

  @Override
  public Expired expireDeadlines(Epoch epoch, int max) {
    List<Found> idle =
        found(
            epoch,
            RecoveryKind.DEADLINE_PASSED,
            "reap/expire_deadlines",
            max,
            query -> query.bind("actor", ACTOR));
    List<Found> active =
        found(epoch, RecoveryKind.DEADLINE_PASSED, "reap/abort_overdue", max, query -> query);
    return new Expired(idle.size(), active.size(), workers(active));
  }

  @Override
  public Expired endLongRunning(Epoch epoch, int max) {
    List<Found> active =
        found(
            epoch,
            RecoveryKind.RUNNING_TOO_LONG,
            "reap/abort_long_running",
            max,
            query -> query.bind("running_seconds", seconds(settings.waits().running())));
    return new Expired(0, active.size(), workers(active));
  }

  @Override
  public int replayPending(Epoch epoch, int max) {
    return found(
            epoch,
            RecoveryKind.PENDING_REPLAYED,
            "reap/replay_pending",
            max,
            query ->
                query
                    .bind("actor", ACTOR)
                    .bind("pending_seconds", seconds(settings.waits().pending())))
        .size();
  }

  @Override
  public int expireWaits(Epoch epoch, int max) {
    return found(
            epoch,
            RecoveryKind.WAIT_EXPIRED,
            "reap/expire_waits",
            max,
            query ->
                query
                    .bind("actor", ACTOR)
                    .bind("approval_seconds", seconds(settings.waits().approval()))
                    .bind("deferral_seconds", seconds(settings.waits().deferral())))
        .size();
  }

  /**
   * @param endedAs the terminal state that it reached by this
   */
  private record Found(
      TaskId task,
      @Nullable DispatchId dispatch,
      @Nullable WorkerId worker,
      Duration sinceSign,
      @Nullable TaskState endedAs) {}

  private static Set<WorkerId> workers(List<Found> found) {
    Set<WorkerId> workers = new HashSet<>();
    for (Found one : found) {
      if (one.worker() != null) {
        workers.add(one.worker());
      }
    }
    return workers;
  }

  /** Runs a statement that ends, aborts or moves tasks, and records each. */
  private List<Found> found(
      Epoch epoch, RecoveryKind kind, String statement, int max, Function<Query, Query> binding) {
    if (!due.mayFind(statement)) {
      return List.of();
    }
    List<Recovered> recovered = new ArrayList<>();
    List<Found> found =
        fenced(
            epoch,
            handle -> {
              Query query = handle.createQuery(Sql.named(statement)).bind("max", max);
              List<Found> rows = binding.apply(query).map((row, context) -> found(row)).list();
              recovered.clear();
              rows.forEach(row -> recovered.add(recovered(kind, row)));
              Recoveries.record(handle, recovered);
              return rows;
            });
    tell(recovered);
    for (Found one : found) {
      TaskState state = one.endedAs();
      if (state != null) {
        meters.completed(state, 1);
      }
    }
    return found;
  }

  private Recovered recovered(RecoveryKind kind, Found row) {
    return new Recovered(
        kind, row.task(), null, row.dispatch(), row.worker(), row.sinceSign(), promises.of(kind));
  }

  private static Found found(ResultSet row) throws SQLException {
    UUID dispatch = row.getObject("dispatch_id", UUID.class);
    UUID worker = row.getObject("worker_id", UUID.class);
    String endedAs = row.getString("ended_as");
    return new Found(
        new TaskId(row.getObject("id", UUID.class)),
        dispatch == null ? null : new DispatchId(dispatch),
        worker == null ? null : new WorkerId(worker),
        Signs.duration(row, "since_sign"),
        endedAs == null ? null : TaskState.valueOf(endedAs));
  }

  @Override
  public List<Orphan> readOrphans(@Nullable RunId after, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("reap/read_orphans"))
                .bind("after", after == null ? FIRST : after.value())
                .bind("orphan_seconds", seconds(settings.waits().orphan()))
                .bind("fails_seconds", seconds(settings.waits().orphanFails()))
                .bind("max", max)
                .map(
                    (row, context) ->
                        new Orphan(
                            new RunId(row.getObject("id", UUID.class)),
                            row.getBoolean("replanned")))
                .list());
  }

  @Override
  public boolean treatOrphan(Epoch epoch, Orphan orphan) {
    if (orphan.replanned()) {
      try {
        int cancelled = fenced(epoch, handle -> fail(handle, orphan.run()));
        meters.completed(TaskState.CANCELLED, cancelled);
        return true;
      } catch (GoesOn meanwhile) {
        return false;
      }
    }
    List<Recovered> noted = fenced(epoch, handle -> replan(handle, orphan.run()));
    tell(noted);
    return !noted.isEmpty();
  }

  private List<Recovered> replan(Handle handle, RunId run) {
    List<Recovered> noted =
        handle
            .createQuery(Sql.named("reap/note_orphan"))
            .bind("run", run.value())
            .map(
                (row, context) ->
                    new Recovered(
                        RecoveryKind.ORPHAN_RUN,
                        null,
                        run,
                        null,
                        null,
                        Signs.duration(row, "since_sign"),
                        promises.of(RecoveryKind.ORPHAN_RUN)))
            .list();
    Recoveries.record(handle, noted);
    return noted;
  }

  /** The planner cannot decide it: its waiting tasks are cancelled, and it fails. */
  private Integer fail(Handle handle, RunId run) {
    Gate gate = Gate.of(handle, List.of(run));
    handle
        .createQuery(Sql.named("steer/lock_tasks_of_run"))
        .bind("run", run.value())
        .mapToMap()
        .list();
    if (!isOrphan(handle, run)) {
      throw new GoesOn();
    }
    int cancelled =
        handle
            .createUpdate(Sql.named("reap/cancel_orphans"))
            .bind("run", run.value())
            .bind("actor", ACTOR)
            .execute();
    for (RunState from : List.of(RunState.QUEUED, RunState.RUNNING)) {
      boolean failed =
          handle
              .createQuery(Sql.named("plan/end_runs"))
              .bindArray("ids", UUID.class, run.value())
              .bindArray("from_states", String.class, from.name())
              .bindArray("to_states", String.class, RunState.FAILED.name())
              .bindArray("reasons", String.class, RecoveryKind.ORPHAN_RUN.reason())
              .bind("actor", ACTOR)
              .mapToMap()
              .findOne()
              .isPresent();
      if (failed) {
        gate.release();
        return cancelled;
      }
    }
    throw new GoesOn();
  }

  /** Under the locks of its tasks: what was seen before them may have changed. */
  private boolean isOrphan(Handle handle, RunId run) {
    return handle
        .createQuery(Sql.named("reap/check_orphan"))
        .bind("run", run.value())
        .bind("orphan_seconds", seconds(settings.waits().orphan()))
        .mapTo(Boolean.class)
        .one();
  }

  /** The run is no orphan any more: nothing that was written about it counts. */
  private static final class GoesOn extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public void alert(Epoch epoch, String kind, String detail) {
    if (fenced(epoch, handle -> Alerts.raise(handle, kind, detail))) {
      meters.alerted(kind);
    }
  }

  @Override
  public void alertLost(Epoch epoch, Collection<WorkerId> workers) {
    int raised =
        fenced(
            epoch,
            handle ->
                handle
                    .createUpdate(Sql.named("recovery/alert_lost_workers"))
                    .bindArray(
                        "workers", UUID.class, workers.stream().map(WorkerId::value).toList())
                    .execute());
    for (int i = 0; i < raised; i++) {
      meters.alerted(Alert.WORKER_LOST);
    }
  }

  private void tell(List<Recovered> recovered) {
    recovered.forEach(one -> meters.recovered(one.kind(), one.sinceLastSign()));
  }

  private <T> T fenced(Epoch epoch, Function<Handle, T> work) {
    return Retry.on(
        Set.of(Retry.DEADLOCK),
        () ->
            jdbi.inTransaction(
                handle -> {
                  Fence.enter(handle, epoch);
                  return work.apply(handle);
                }));
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
