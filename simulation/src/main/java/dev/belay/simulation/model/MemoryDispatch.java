package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
  public List<HeldSlots> readWorkers() {
    return tables.database.statement(this::readWorkers);
  }

  private List<HeldSlots> readWorkers(ModelStatement statement) {
    Instant heardSince = statement.now().minus(ROUTABLE_SILENCE);
    Map<WorkerId, List<DispatchId>> held = new HashMap<>();
    for (TaskRow task : statement.rows(tables.task, row -> row.state.isActive())) {
      if (task.worker != null && task.dispatch != null) {
        held.computeIfAbsent(task.worker, worker -> new ArrayList<>()).add(task.dispatch);
      }
    }
    List<HeldSlots> workers = new ArrayList<>();
    for (WorkerRow row : statement.rows(tables.worker, row -> row.state.equals("CONNECTED"))) {
      if (row.session != null && row.lastSeenAt.isAfter(heardSince) && row.trouble.isEmpty()) {
        List<DispatchId> own = held.getOrDefault(row.id, List.of());
        workers.add(
            new HeldSlots(
                new Routing.Worker(row.id, row.session, row.pools, row.slots, own.size()), own));
      }
    }
    return workers;
  }

  @Override
  public List<Routing.Candidate> readCandidates(
      Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure) {
    Set<TaskId> left = new HashSet<>(except);
    return tables.database.statement(
        statement -> {
          Instant now = statement.now();
          List<TaskRow> ready =
              statement.rows(
                  tables.task,
                  row ->
                      row.state == TaskState.SCHEDULED
                          && limitByPool.containsKey(row.pool)
                          && isReached(row.notBefore, now)
                          && mayStart(row, now, sure)
                          && !left.contains(row.id));
          ready.sort(Mailboxes.BEST_FIRST);
          return first(limitByPool, ready);
        });
  }

  private static List<Routing.Candidate> first(
      Map<String, Integer> limitByPool, List<TaskRow> ready) {
    Map<String, Integer> free = new HashMap<>(limitByPool);
    List<Routing.Candidate> candidates = new ArrayList<>();
    for (TaskRow row : ready) {
      if (free.merge(row.pool, -1, Integer::sum) >= 0) {
        candidates.add(
            new Routing.Candidate(row.id, row.pool, seconds(row.stateSince), row.dispatch != null));
      }
    }
    return candidates;
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
  public List<MailboxEntry> claim(
      Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure) {
    var bond = new Bond(epoch, worker, session, sure);
    List<TaskRow> claimed = new ArrayList<>();
    List<MailboxEntry> entries =
        tables.database.transaction(
            transaction -> {
              EpochLock.lock(tables, transaction, epoch);
              return transaction.statement(
                  statement -> {
                    claim(statement, bond, claims, claimed);
                    return entries(statement, claimed);
                  });
            });
    if (claimed.isEmpty()) {
      EpochLock.check(tables, epoch);
    }
    return entries;
  }

  /** What a claim binds a task to, and the lower bound of the time. */
  private record Bond(Epoch epoch, WorkerId worker, SessionId session, Instant sure) {}

  private void claim(
      ModelStatement statement, Bond bond, List<Claim> claims, List<TaskRow> claimed) {
    boolean leads = EpochLock.isInForce(tables, statement, bond.epoch());
    boolean live =
        statement
            .share(tables.worker, bond.worker(), row -> leads && isLive(row, bond))
            .isPresent();
    if (!live) {
      return;
    }
    List<Claim> inOrder = new ArrayList<>(claims);
    inOrder.sort(Comparator.comparing(Claim::task));
    Map<TaskId, TaskRow> earlier = lockEarlier(statement, inOrder);
    for (Claim claim : inOrder) {
      claim(statement, bond, claim, earlier.get(claim.task())).ifPresent(claimed::add);
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

  private boolean isLive(WorkerRow row, Bond bond) {
    return row.state.equals("CONNECTED")
        && row.trouble.isEmpty()
        && tables.guards.pass(RaceGuard.CLAIM_SESSION, bond.session().equals(row.session));
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
              row.worker = bond.worker();
              row.session = bond.session();
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

  private List<MailboxEntry> entries(ModelStatement statement, List<TaskRow> claimed) {
    List<MailboxEntry> entries = new ArrayList<>(claimed.size());
    for (TaskRow row : claimed) {
      if (row.work != null) {
        entries.add(mailboxes.entry(statement, row, true));
      }
    }
    return entries;
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
