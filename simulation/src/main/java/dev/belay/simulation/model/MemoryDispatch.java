package dev.belay.simulation.model;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.wire.Offer;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Dispatching in memory. */
final class MemoryDispatch implements DispatchStore {

  private static final String ACTOR = "dispatcher";
  private static final String CLAIMED = "claimed";
  private static final double NANOS = 1e9;

  private final Tables tables;
  private final Mailboxes mailboxes;

  MemoryDispatch(Tables tables) {
    this.tables = tables;
    this.mailboxes = new Mailboxes(tables);
  }

  @Override
  public Holdings readWorkers() {
    return tables.database.statement(this::readWorkers);
  }

  private Holdings readWorkers(ModelStatement statement) {
    Instant heardSince = statement.now().minus(ROUTABLE_SILENCE);
    List<Held> held = new ArrayList<>();
    Long epoch = statement.read(tables.leadership, true).map(row -> row.epoch).orElse(0L);
    for (TaskRow task : statement.rows(tables.task, row -> row.state.isActive())) {
      if (task.worker != null
          && task.dispatch != null
          && (tables.guards.has(RaceGuard.HELD_PLACES) || epoch.equals(task.epoch))) {
        Instant since = task.startedAt == null ? task.dispatchedAt : task.startedAt;
        held.add(
            new Held(
                task.dispatch,
                task.worker,
                task.queue,
                task.dispatchedPool,
                Objects.requireNonNull(since)));
      }
    }
    List<Worker> workers = new ArrayList<>();
    for (WorkerRow row : statement.rows(tables.worker, any -> true)) {
      if (row.session != null) {
        workers.add(worker(row, row.session, heardSince));
      }
    }
    return new Holdings(workers, held, statement.now());
  }

  private static Worker worker(WorkerRow row, SessionId session, Instant heardSince) {
    Offer offer = row.offer;
    return new Worker(
        row.id,
        session,
        row.name,
        new Worker.Traits(row.pools, offer.capabilities(), offer.labels()),
        new Load(offer.slots(), offer.resources().memoryBytes(), offer.resources().cpuMillis()),
        Load.NONE,
        new Worker.Condition(
            presence(row, heardSince),
            false,
            row.withheldSlots,
            row.cpuPercent,
            row.gpuPercent,
            null));
  }

  private static Worker.Presence presence(WorkerRow row, Instant heardSince) {
    if (!row.state.equals("CONNECTED")) {
      return Worker.Presence.valueOf(row.state);
    }
    if (!row.lastSeenAt.isAfter(heardSince)) {
      return Worker.Presence.SILENT;
    }
    return row.trouble.isEmpty() ? Worker.Presence.PRESENT : Worker.Presence.TROUBLED;
  }

  @Override
  public List<Head> readWaiting(@Nullable QueueId after, int max) {
    return tables.database.statement(
        statement -> {
          var best = new TreeMap<QueueId, Integer>();
          for (TaskRow row : statement.rows(tables.task, row -> row.state == TaskState.SCHEDULED)) {
            QueueId queue = Objects.requireNonNull(row.queue);
            if (after == null || queue.compareTo(after) > 0) {
              best.merge(queue, row.priority, Math::max);
            }
          }
          return best.entrySet().stream()
              .limit(max)
              .map(entry -> new Head(entry.getKey(), entry.getValue()))
              .toList();
        });
  }

  @Override
  public List<Candidate> readCandidates(
      List<Wanted> wanted, Collection<TaskId> except, Instant sure) {
    Set<TaskId> left = new HashSet<>(except);
    return tables.database.statement(
        statement -> {
          Instant now = statement.now();
          List<Placed> found = new ArrayList<>();
          for (Wanted each : wanted) {
            List<TaskRow> ready =
                statement.rows(
                    tables.task,
                    row ->
                        row.state == TaskState.SCHEDULED
                            && each.queue().equals(row.queue)
                            && isReached(row.notBefore, now)
                            && mayStart(row, now, sure)
                            && !left.contains(row.id));
            found.addAll(first(each, ready));
          }
          found.sort(BEST_FIRST);
          return found.stream().map(Placed::candidate).toList();
        });
  }

  /** A candidate and its turn: tasks of runs come round by round. */
  private record Placed(TaskRow row, int round, int place) {
    Candidate candidate() {
      return new Candidate(
          row.id,
          Objects.requireNonNull(row.queue),
          row.run,
          row.priority,
          seconds(row.stateSince),
          row.dispatch != null,
          lastAttempt(row));
    }

    private static @Nullable LastAttempt lastAttempt(TaskRow row) {
      if (row.worker == null || row.attemptEndedAt == null) {
        return null;
      }
      boolean refused = row.endReason != null && row.endReason.startsWith("dispatch_failed: ");
      return new LastAttempt(row.worker, refused ? row.attemptEndedAt : null);
    }
  }

  private static final Comparator<Placed> BEST_FIRST =
      Comparator.comparingInt((Placed each) -> -each.row().priority)
          .thenComparingInt(Placed::round)
          .thenComparingInt(Placed::place)
          .thenComparing(each -> each.row().id);

  private static List<Placed> first(Wanted wanted, List<TaskRow> ready) {
    RunId after = wanted.after();
    List<Placed> placed = new ArrayList<>();
    if (after == null) {
      ready.forEach(row -> placed.add(new Placed(row, 0, 0)));
    } else {
      List<List<TaskRow>> turns = turns(ready, after);
      List<List<TaskRow>> had = turns.subList(0, Math.min(turns.size(), wanted.take()));
      for (int place = 0; place < had.size(); place++) {
        List<TaskRow> own = had.get(place);
        int most = Math.min(own.size(), 2 * wanted.take() / had.size() + 1);
        for (int round = 0; round < most; round++) {
          placed.add(new Placed(own.get(round), round + 1, place + 1));
        }
      }
    }
    placed.sort(BEST_FIRST);
    return placed.subList(0, Math.min(placed.size(), wanted.take()));
  }

  /**
   * The tasks of each run, in the order in which the runs have their turns: at the best priority
   * from the run behind this one on.
   */
  private static List<List<TaskRow>> turns(List<TaskRow> ready, RunId after) {
    var byPriority = new TreeMap<Integer, TreeMap<RunId, List<TaskRow>>>(Comparator.reverseOrder());
    for (TaskRow row : ready) {
      byPriority
          .computeIfAbsent(row.priority, any -> new TreeMap<>())
          .computeIfAbsent(Objects.requireNonNull(row.run), any -> new ArrayList<>())
          .add(row);
    }
    List<List<TaskRow>> turns = new ArrayList<>();
    byPriority.forEach(
        (priority, runs) -> {
          if (turns.isEmpty()) {
            turns.addAll(runs.tailMap(after, false).values());
            turns.addAll(runs.headMap(after, true).values());
          } else {
            turns.addAll(runs.values());
          }
        });
    return turns;
  }

  private static double seconds(Instant at) {
    return at.getEpochSecond() + at.getNano() / NANOS;
  }

  private static boolean isReached(@Nullable Instant time, Instant now) {
    return time == null || !time.isAfter(now);
  }

  private boolean mayStart(TaskRow row, Instant now, Instant sure) {
    return tables.guards.pass(
        RaceGuard.LEASE_ENDS_AT,
        isReached(row.leaseEndsAt, now) && isReached(row.leaseEndsAt, sure));
  }

  @Override
  public Map<WorkerId, List<MailboxEntry>> claim(
      Epoch epoch, Map<Target, List<Claim>> claims, Instant sure) {
    List<TaskRow> claimed = new ArrayList<>();
    Map<WorkerId, List<MailboxEntry>> entries =
        tables.database.transaction(
            transaction -> {
              EpochLock.lock(tables, transaction, epoch);
              return transaction.statement(
                  statement -> {
                    claim(statement, epoch, sure, claims, claimed);
                    return entries(statement, claimed);
                  });
            });
    if (claimed.isEmpty()) {
      EpochLock.check(tables, epoch);
    }
    return entries;
  }

  /** What a claim binds a task to, and the lower bound of the time. */
  private record Bond(Epoch epoch, Target to, Instant sure) {}

  private record Bound(Bond bond, Claim claim) {}

  private void claim(
      ModelStatement statement,
      Epoch epoch,
      Instant sure,
      Map<Target, List<Claim>> claims,
      List<TaskRow> claimed) {
    boolean leads = EpochLock.isInForce(tables, statement, epoch);
    List<Target> targets = new ArrayList<>(claims.keySet());
    targets.sort(Comparator.comparing(Target::worker));
    List<Bound> live = new ArrayList<>();
    for (Target to : targets) {
      if (statement
          .share(tables.worker, to.worker(), row -> leads && isLive(row, to))
          .isPresent()) {
        var bond = new Bond(epoch, to, sure);
        claims.getOrDefault(to, List.of()).forEach(claim -> live.add(new Bound(bond, claim)));
      }
    }
    live.sort(Comparator.comparing(bound -> bound.claim().task()));
    Map<TaskId, TaskRow> earlier = lockEarlier(statement, live.stream().map(Bound::claim).toList());
    for (Bound each : live) {
      claim(statement, each.bond(), each.claim(), earlier.get(each.claim().task()))
          .ifPresent(claimed::add);
    }
    claimed.sort(Mailboxes.BEST_FIRST);
  }

  /** The rows as they are now, if some claim may replace an attempt. */
  private Map<TaskId, TaskRow> lockEarlier(ModelStatement statement, List<Claim> inOrder) {
    Map<TaskId, TaskRow> earlier = new HashMap<>();
    if (inOrder.stream().anyMatch(Claim::again)) {
      for (Claim claim : inOrder) {
        statement
            .lock(tables.task, claim.task(), any -> true)
            .ifPresent(found -> earlier.put(found.id, found));
      }
    }
    return earlier;
  }

  private boolean isLive(WorkerRow row, Target to) {
    return row.state.equals("CONNECTED")
        && row.trouble.isEmpty()
        && tables.guards.pass(RaceGuard.CLAIM_SESSION, to.session().equals(row.session));
  }

  private Optional<TaskRow> claim(
      ModelStatement statement, Bond bond, Claim claim, @Nullable TaskRow earlier) {
    Instant now = statement.now();
    Optional<TaskRow> claimed =
        statement.update(
            tables.task,
            claim.task(),
            row ->
                tables.guards.pass(RaceGuard.FROM_STATE, row.state == TaskState.SCHEDULED)
                    && (claim.queue() == null || claim.queue().equals(row.queue))
                    && mayStart(row, now, bond.sure())
                    && (row.dispatch == null
                        || (earlier != null && row.dispatch.equals(earlier.dispatch))),
            row -> {
              row.state = TaskState.DISPATCHED;
              row.reason = CLAIMED;
              row.stateSince = now;
              row.notBefore = null;
              row.leaseEndsAt = null;
              row.clearAttempt();
              row.dispatch = claim.dispatch();
              row.dispatchedPool = claim.pool();
              row.worker = bond.to().worker();
              row.session = bond.to().session();
              row.epoch = bond.epoch().value();
              row.fencingToken++;
              row.dispatchedAt = now;
            });
    claimed.ifPresent(
        row -> {
          if (earlier != null && earlier.dispatch != null) {
            tables.keepAttempt(statement, earlier);
          }
          tables.derived(
              statement,
              row,
              new Step(
                  TaskState.SCHEDULED,
                  TaskState.DISPATCHED,
                  CLAIMED,
                  ACTOR,
                  claim.dispatch(),
                  now));
        });
    return claimed;
  }

  private Map<WorkerId, List<MailboxEntry>> entries(
      ModelStatement statement, List<TaskRow> claimed) {
    Map<WorkerId, List<MailboxEntry>> entries = new LinkedHashMap<>();
    for (TaskRow row : claimed) {
      if (row.work != null) {
        entries
            .computeIfAbsent(Objects.requireNonNull(row.worker), any -> new ArrayList<>())
            .add(mailboxes.entry(statement, row, true));
      }
    }
    return entries;
  }

  @Override
  public void settle() {
    tables.database.<Boolean>statement(
        statement -> {
          statement.advise(tables.epochLock, "the epoch lock", true);
          return true;
        });
  }

  @Override
  public Optional<Duration> readNextDue() {
    return tables.database.statement(this::nextDue);
  }

  /** Whether the leader's timers may move it. */
  static boolean isTimed(TaskRow row) {
    return row.notBefore != null
        && (row.state == TaskState.PENDING || row.state == TaskState.DEFERRED);
  }

  static Instant dueAt(TaskRow row) {
    return Objects.requireNonNullElse(row.notBefore, Instant.MAX);
  }

  private Optional<Duration> nextDue(ModelStatement statement) {
    Instant next = Instant.MAX;
    for (TaskRow row : statement.rows(tables.task, MemoryDispatch::isTimed)) {
      Instant due = dueAt(row);
      next = due.isBefore(next) ? due : next;
    }
    return next.equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(Duration.between(statement.now(), next));
  }
}
