package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Attempt;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.domain.reap.WorkerSign.Watched;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ReapReads.ActiveTask;
import dev.belay.engine.port.ReapReads.SeenWorker;
import dev.belay.engine.port.ReapReads.Survey;
import dev.belay.engine.port.ReapReads.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Signs of workers and their attempts, like the class Signs of the store. */
record MemoryLivenessReads(Tables tables, ReapSettings settings) {

  private static final String DISCONNECTED = "DISCONNECTED";

  Survey survey() {
    var seen = tables.database.statement(this::readSigns);
    var missing = tables.database.statement(this::readMissing);
    return new Survey(seen.now(), seen.steady(), seen.workers(), missing);
  }

  private record Seen(Instant now, Duration steady, List<SeenWorker> workers) {}

  private static final class Held {
    private int active;
    private int dispatched;
    private boolean overdue;
  }

  /** reap/read_signs. */
  private Seen readSigns(ModelStatement statement) {
    Instant now = statement.now();
    var workers = new TreeMap<WorkerId, WorkerRow>();
    statement.rows(tables.worker, any -> true).forEach(worker -> workers.put(worker.id, worker));
    Map<WorkerId, Held> held = readHeld(statement, workers, now);
    var outages = Outages.withPresent(tables, statement, settings.grace().databaseGap());
    var seen = new ArrayList<SeenWorker>();
    for (WorkerRow worker : workers.values()) {
      Held its = held.getOrDefault(worker.id, new Held());
      seen.add(
          new SeenWorker(
              worker.id,
              witness(worker),
              sign(statement, worker, outages),
              its.active,
              its.dispatched,
              its.overdue));
    }
    return new Seen(now, outages.steady(), seen);
  }

  private Map<WorkerId, Held> readHeld(
      ModelStatement statement, Map<WorkerId, WorkerRow> workers, Instant now) {
    Instant overdueBefore = now.minus(settings.liveness().dispatchLost());
    var held = new HashMap<WorkerId, Held>();
    for (TaskRow task : statement.rows(tables.task, row -> row.state.isActive())) {
      WorkerRow worker = workers.get(requireNonNull(task.worker));
      if (worker != null) {
        Held its = held.computeIfAbsent(worker.id, first -> new Held());
        boolean dispatched = task.state == TaskState.DISPATCHED;
        its.active++;
        its.dispatched += dispatched ? 1 : 0;
        its.overdue |=
            !requireNonNull(task.session).equals(worker.session)
                || (dispatched && !requireNonNull(task.dispatchedAt).isAfter(overdueBefore));
      }
    }
    return held;
  }

  static Witness witness(WorkerRow worker) {
    return new Witness(
        requireNonNull(worker.session), worker.connection, worker.heartbeatNumber, worker.state);
  }

  private WorkerSign sign(ModelStatement statement, WorkerRow worker, Outages outages) {
    Instant now = outages.now();
    Link link =
        worker.closedByPeer
            ? new Link.Closed(since(worker.disconnectedAt, now))
            : worker.state.equals(DISCONNECTED) ? new Link.Left() : new Link.Open();
    Instant heardUntil = worker.lastSeenAt;
    ReplicaRow replica = statement.read(tables.replica, worker.replica).orElse(null);
    if (replica != null) {
      boolean answers = replica.seenAt.isAfter(now.minus(settings.grace().databaseGap()));
      Instant listens = answers ? replica.writingSince : replica.seenAt;
      heardUntil = latest(heardUntil, listens);
    }
    return new WorkerSign(
        link,
        since(worker.lastSeenAt, now),
        since(worker.connectedAt, now),
        outages.listenedSince(heardUntil),
        outages.listenedSince(latest(worker.lastSeenAt, worker.disconnectedAt)),
        Watched.NEVER);
  }

  private static Instant latest(Instant one, @Nullable Instant other) {
    return other != null && other.isAfter(one) ? other : one;
  }

  private static Duration since(@Nullable Instant time, Instant now) {
    return time == null || time.isAfter(now) ? Duration.ZERO : Duration.between(time, now);
  }

  /** reap/read_missing. */
  private List<WorkerId> readMissing(ModelStatement statement) {
    var missing = new TreeSet<WorkerId>();
    for (TaskRow task : statement.rows(tables.task, row -> row.state.isActive())) {
      WorkerId worker = requireNonNull(task.worker);
      if (statement.read(tables.worker, worker).isEmpty()) {
        missing.add(worker);
      }
    }
    return List.copyOf(missing);
  }

  /** reap/read_active. */
  List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey) {
    var wanted = new TreeSet<>(workers);
    var signs = new HashMap<WorkerId, WorkerSign>();
    survey.workers().forEach(worker -> signs.put(worker.id(), worker.sign()));
    return tables.database.statement(
        statement -> {
          var active = new ArrayList<ActiveTask>();
          for (TaskRow task : statement.rows(tables.task, row -> row.state.isActive())) {
            WorkerId worker = requireNonNull(task.worker);
            boolean isNext = after == null || task.id.compareTo(after) > 0;
            if (isNext && wanted.contains(worker) && active.size() < max) {
              active.add(active(statement, task, Optional.ofNullable(signs.get(worker))));
            }
          }
          return active;
        });
  }

  private ActiveTask active(ModelStatement statement, TaskRow task, Optional<WorkerSign> sign) {
    var dispatch = requireNonNull(task.dispatch);
    var session = requireNonNull(task.session);
    var worker = requireNonNull(task.worker);
    WorkerRow row = statement.read(tables.worker, worker).orElse(null);
    return new ActiveTask(
        task.id,
        dispatch,
        worker,
        session,
        new Attempt(
            task.state,
            since(task.dispatchedAt, statement.now()),
            Outages.past(tables, statement).whole(requireNonNull(task.dispatchedAt)),
            row != null && row.preparing.contains(dispatch),
            row != null && session.equals(row.session),
            sign));
  }
}
