package dev.belay.store.read;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.wait.Blockage;
import dev.belay.domain.wait.RunTurn;
import dev.belay.domain.wait.Unserved;
import dev.belay.domain.wait.Wait;
import dev.belay.domain.wait.WaitFacts;
import dev.belay.domain.wait.WaitingTask;
import dev.belay.domain.wait.Waits;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.Sql;
import dev.belay.store.dispatch.WorkerRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Explains why tasks and runs wait, with the dispatcher's own predicates on what its own statements
 * read. It reads shared facts at most twice a second, however many callers ask.
 */
public final class WaitReads {

  /** Limit of explained waiting tasks per run. */
  public static final int TASKS_MAX = 20;

  private static final int NAMES_MAX = 20;
  private static final int REFUSALS_MAX = 1_000;
  private static final int QUEUES_OF_KEY_MAX = 1_000;
  private static final Duration FRESH = Duration.ofMillis(500);

  private final Jdbi jdbi;
  private final RoutingReads routing;
  private final QueueCatalog queues;
  private final WorkerRows workers = new WorkerRows();
  private final Duration routableSilence;
  private final Duration leaderSilence;
  private final Placing placing;
  private final LongSupplier ticker;
  private volatile @Nullable Known known;

  /** A waiting task and its reason. */
  public record Waiting(UUID task, String name, TaskState state, Wait why) {}

  private record Known(WaitFacts facts, DispatchScene scene, long readAt) {}

  private record Row(
      UUID id,
      String name,
      @Nullable UUID run,
      @Nullable QueueId queue,
      int priority,
      WaitingTask task,
      @Nullable Lost lost) {}

  /** Nothing can serve the task queue of a task, as the leader noted. */
  private record Lost(Unserved why, Instant since) {}

  /**
   * Where it reads.
   *
   * @param queues may be shared with the intake
   */
  public record Sources(Jdbi jdbi, RoutingReads routing, QueueCatalog queues) {}

  /**
   * How the leader places tasks.
   *
   * @param backoff how often a task is tried that nothing can serve
   */
  public record Placing(PlacementBackoff backoff, RoutingSettings routing) {
    public static final Placing DEFAULT =
        new Placing(PlacementBackoff.DEFAULT, RoutingSettings.DEFAULT);
  }

  /**
   * @param routableSilence a worker that is silent for longer gets no new work
   * @param leaderSilence a leader that is silent for longer no longer counts as leader
   * @param placing as the leader's
   * @param ticker monotonic nanoseconds
   */
  public WaitReads(
      Sources sources,
      Duration routableSilence,
      Duration leaderSilence,
      Placing placing,
      LongSupplier ticker) {
    this.jdbi = sources.jdbi();
    this.routing = sources.routing();
    this.queues = sources.queues();
    this.routableSilence = routableSilence;
    this.leaderSilence = leaderSilence;
    this.placing = placing;
    this.ticker = ticker;
  }

  public Duration routableSilence() {
    return routableSilence;
  }

  /** Empty when the task does not wait or does not exist. */
  public Optional<Wait> ofTask(UUID id) {
    return jdbi.withHandle(
        handle -> {
          Optional<Row> row = rows(handle, "id", id, 1).stream().findFirst();
          return row.flatMap(found -> wait(handle, found, whole(handle, found)));
        });
  }

  private Optional<Wait> wait(Handle handle, Row row, WaitingTask task) {
    Known known = known(handle);
    QueueId id = row.queue();
    boolean isEligible = TaskState.SCHEDULED == task.state();
    if (id == null || !isEligible) {
      return Waits.ofTask(task, known.facts());
    }
    Lost lost = row.lost();
    if (lost != null) {
      Instant since = lost.since().isAfter(task.since()) ? lost.since() : task.since();
      var tries = Blockage.Tries.of(placing.backoff(), since, known.facts().now(), id.value());
      return Optional.of(Waits.ofUnserved(task, known.facts(), lost.why(), tries));
    }
    TaskQueue queue = queues.specs(Set.of(id)).get(id);
    Blockage blockage = queue == null ? null : blockage(handle, known.scene(), queue, row);
    return Waits.ofTask(task, known.facts(), blockage);
  }

  /** Those of its rate limit; without one they do not count. */
  private static int tokens(Handle handle, TaskQueue queue) {
    RateLimit rate = queue.rateLimit();
    return rate == null
        ? 0
        : query(handle, "read/read_tokens")
            .bind("size", rate.max())
            .bind("per_second", rate.perSecond())
            .bind("tenant", queue.tenant())
            .bind("key", rate.key())
            .mapTo(Integer.class)
            .findOne()
            .orElse(rate.max());
  }

  /** With the smallest limit that tasks that wait name for its key: it counts for all of them. */
  private static TaskQueue strictest(Handle handle, TaskQueue queue) {
    TaskQueue.Concurrency own = queue.concurrency();
    if (own == null) {
      return queue;
    }
    int limit =
        query(handle, "read/read_key_limit")
            .bind("tenant", queue.tenant())
            .bind("key", own.key())
            .bind("max", QUEUES_OF_KEY_MAX)
            .mapTo(Integer.class)
            .findOne()
            .orElse(own.limit());
    return new TaskQueue(
        queue.tenant(),
        queue.workflow(),
        queue.placement(),
        new TaskQueue.Concurrency(own.key(), limit, own.onConflict()),
        queue.rateLimit());
  }

  private static Blockage blockage(Handle handle, DispatchScene scene, TaskQueue queue, Row row) {
    Blockage found =
        scene.blockage(queue, strictest(handle, queue), tokens(handle, queue), row.priority());
    List<DispatchId> holders =
        found.room().isFull() ? scene.holders(queue, found.room().full().getFirst()) : List.of();
    if (holders.isEmpty()) {
      return found;
    }
    List<TaskId> tasks =
        query(handle, "read/list_tasks_of_dispatches")
            .bindArray("dispatches", UUID.class, holders.stream().map(DispatchId::value).toList())
            .map((task, context) -> new TaskId(task.getObject("id", UUID.class)))
            .list();
    return new Blockage(found.placement(), found.room(), found.routing(), tasks, found.tries());
  }

  /** Why a QUEUED run does not start; empty in any other state. */
  public Optional<Wait> ofRun(UUID id) {
    return jdbi.withHandle(
        handle ->
            turn(handle, id)
                .filter(turn -> turn.state() == RunState.QUEUED)
                .flatMap(turn -> Waits.ofRun(turn, known(handle).facts())));
  }

  /** The run's first few tasks that wait for something other than tasks. */
  public List<Waiting> ofTasks(UUID run) {
    return jdbi.withHandle(
        handle -> {
          List<Waiting> waiting = new ArrayList<>();
          for (Row row : rows(handle, "run", run, TASKS_MAX)) {
            wait(handle, row, row.task())
                .ifPresent(
                    wait ->
                        waiting.add(new Waiting(row.id(), row.name(), row.task().state(), wait)));
          }
          return waiting;
        });
  }

  private WaitingTask whole(Handle handle, Row row) {
    WaitingTask task = row.task();
    UUID run = row.run();
    if (task.state() != TaskState.WAITING || run == null) {
      return task;
    }
    List<String> dependencies =
        query(handle, "read/list_open_dependencies")
            .bind("id", row.id())
            .bind("limit", NAMES_MAX)
            .mapTo(String.class)
            .list();
    return new WaitingTask(
        task.state(),
        task.since(),
        task.notBefore(),
        task.leaseEndsAt(),
        task.tried(),
        turn(handle, run).orElse(null),
        dependencies);
  }

  private static List<Row> rows(Handle handle, String by, UUID id, int limit) {
    return handle
        .createQuery(Sql.named("read/read_waiting_tasks", Set.of(by)))
        .setQueryTimeout(Reads.TIMEOUT_SECONDS)
        .bind(by, id)
        .bind("limit", limit)
        .map((row, context) -> row(row))
        .list();
  }

  private static Row row(ResultSet row) throws SQLException {
    Long queue = row.getObject("queue_id", Long.class);
    return new Row(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getObject("run", UUID.class),
        queue == null ? null : new QueueId(queue),
        row.getInt("priority"),
        new WaitingTask(
            TaskState.valueOf(row.getString("state")),
            time(row, "state_since"),
            timeOrNull(row, "not_before"),
            timeOrNull(row, "lease_ends_at"),
            row.getBoolean("tried"),
            null,
            List.of()),
        lost(row));
  }

  private static @Nullable Lost lost(ResultSet row) throws SQLException {
    String reason = row.getString("unserved_reason");
    return reason == null
        ? null
        : new Lost(
            new Unserved(Refusal.valueOf(reason), row.getString("unserved_detail")),
            time(row, "unserved_since"));
  }

  private static Optional<RunTurn> turn(Handle handle, UUID run) {
    return query(handle, "read/find_run_turn")
        .bind("run", run)
        .map(ConstructorMapper.of(RunTurn.class))
        .findOne();
  }

  /** Two callers may read at once: both get the same facts. */
  private Known known(Handle handle) {
    Known before = known;
    if (before != null && ticker.getAsLong() - before.readAt() < FRESH.toNanos()) {
      return before;
    }
    long now = ticker.getAsLong();
    Known read = new Known(facts(handle), scene(handle), now);
    known = read;
    return read;
  }

  private WaitFacts facts(Handle handle) {
    return query(handle, "read/read_wait_facts")
        .bind("gap_seconds", leaderSilence.toMillis() / 1000.0)
        .map(
            (row, context) ->
                new WaitFacts(
                    time(row, "now"),
                    new WaitFacts.Leader(
                        row.getString("leader"),
                        row.getBoolean("leader_live"),
                        timeOrNull(row, "leader_seen_at"))))
        .one();
  }

  private DispatchScene scene(Handle handle) {
    Holdings holdings = workers.read(handle, routableSilence);
    Set<QueueId> ids = new HashSet<>();
    holdings.held().stream().map(Held::queue).filter(Objects::nonNull).forEach(ids::add);
    return new DispatchScene(
        holdings, queues.specs(ids), routing.declared(), placing.routing(), refusals(handle));
  }

  /** Until when workers are not asked, because a task that waits again could not start there. */
  private Map<WorkerId, Instant> refusals(Handle handle) {
    Duration refusedFor = placing.routing().refusedFor();
    Map<WorkerId, Instant> until = new HashMap<>();
    query(handle, "read/read_refusals")
        .bind("refused_seconds", refusedFor.toMillis() / 1000.0)
        .bind("limit", REFUSALS_MAX)
        .map(
            (row, context) ->
                until.put(
                    new WorkerId(row.getObject("worker_id", UUID.class)),
                    time(row, "refused_at").plus(refusedFor)))
        .list();
    return until;
  }

  private static Query query(Handle handle, String statement) {
    return handle.createQuery(Sql.named(statement)).setQueryTimeout(Reads.TIMEOUT_SECONDS);
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
