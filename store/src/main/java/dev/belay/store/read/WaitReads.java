package dev.belay.store.read;

import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.wait.Blockage;
import dev.belay.domain.wait.RunTurn;
import dev.belay.domain.wait.Unserved;
import dev.belay.domain.wait.Wait;
import dev.belay.domain.wait.WaitFacts;
import dev.belay.domain.wait.WaitingTask;
import dev.belay.domain.wait.Waits;
import dev.belay.store.Sql;
import dev.belay.store.dispatch.WorkerRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
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
 * Explains why tasks and runs wait. It reads workers with the dispatcher's own statement, so both
 * agree on which workers take work. It reads shared facts at most twice a second, however many
 * callers ask.
 */
public final class WaitReads {

  /** Limit of explained waiting tasks per run. */
  public static final int TASKS_MAX = 20;

  private static final int NAMES_MAX = 20;
  private static final int ABSENT_MAX = 100;
  private static final Duration FRESH = Duration.ofMillis(500);

  private final Jdbi jdbi;
  private final Duration routableSilence;
  private final Duration leaderSilence;
  private final PlacementBackoff backoff;
  private final LongSupplier ticker;
  private volatile @Nullable Known known;

  /** A waiting task and its reason. */
  public record Waiting(UUID task, String name, TaskState state, Wait why) {}

  private record Known(WaitFacts facts, long readAt) {}

  private record Row(
      UUID id, String name, @Nullable UUID run, WaitingTask task, @Nullable Lost lost) {}

  /** Nothing can serve the task queue of a task, as the leader noted. */
  private record Lost(int queue, Unserved why, Instant since) {}

  /**
   * @param routableSilence a worker that is silent for longer gets no new work
   * @param leaderSilence a leader that is silent for longer no longer counts as leader
   * @param backoff how often a task is tried that nothing can serve
   * @param ticker monotonic nanoseconds
   */
  public WaitReads(
      Jdbi jdbi,
      Duration routableSilence,
      Duration leaderSilence,
      PlacementBackoff backoff,
      LongSupplier ticker) {
    this.jdbi = jdbi;
    this.routableSilence = routableSilence;
    this.leaderSilence = leaderSilence;
    this.backoff = backoff;
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
          return row.flatMap(found -> explained(found, whole(handle, found), facts(handle)));
        });
  }

  /** Why a QUEUED run does not start; empty in any other state. */
  public Optional<Wait> ofRun(UUID id) {
    return jdbi.withHandle(
        handle ->
            turn(handle, id)
                .filter(turn -> turn.state() == RunState.QUEUED)
                .flatMap(turn -> Waits.ofRun(turn, facts(handle))));
  }

  /** The run's first few tasks that wait for something other than tasks. */
  public List<Waiting> ofTasks(UUID run) {
    return jdbi.withHandle(
        handle -> {
          List<Waiting> waiting = new ArrayList<>();
          for (Row row : rows(handle, "run", run, TASKS_MAX)) {
            explained(row, row.task(), facts(handle))
                .ifPresent(
                    wait ->
                        waiting.add(new Waiting(row.id(), row.name(), row.task().state(), wait)));
          }
          return waiting;
        });
  }

  private Optional<Wait> explained(Row row, WaitingTask task, WaitFacts facts) {
    Lost lost = row.lost();
    if (lost == null) {
      return Waits.ofTask(task, facts);
    }
    Instant since = lost.since().isAfter(task.since()) ? lost.since() : task.since();
    var tries = Blockage.Tries.of(backoff, since, facts.now(), lost.queue());
    return Optional.of(Waits.ofUnserved(task, facts, lost.why(), tries));
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
        task.pool(),
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
    return new Row(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getObject("run", UUID.class),
        new WaitingTask(
            TaskState.valueOf(row.getString("state")),
            row.getString("pool"),
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
            row.getInt("unserved_queue"),
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
  private WaitFacts facts(Handle handle) {
    Known before = known;
    if (before != null && ticker.getAsLong() - before.readAt() < FRESH.toNanos()) {
      return before.facts();
    }
    long now = ticker.getAsLong();
    WaitFacts facts = readFacts(handle);
    known = new Known(facts, now);
    return facts;
  }

  private WaitFacts readFacts(Handle handle) {
    List<Routing.Worker> routable =
        WorkerRows.holdings(
                query(handle, "dispatch/read_workers")
                    .bind("silence_seconds", routableSilence.toMillis() / 1000.0))
            .loaded();
    List<Around> around =
        query(handle, "read/read_wait_facts")
            .bind("gap_seconds", leaderSilence.toMillis() / 1000.0)
            .bind("silence_seconds", routableSilence.toMillis() / 1000.0)
            .bindArray(
                "routable", UUID.class, routable.stream().map(one -> one.id().value()).toList())
            .bind("max", ABSENT_MAX)
            .map((row, context) -> around(row))
            .list();
    Around first = around.getFirst();
    return new WaitFacts(
        first.now(),
        first.leader(),
        routable,
        around.stream().map(Around::absent).flatMap(Optional::stream).toList());
  }

  private record Around(Instant now, WaitFacts.Leader leader, Optional<WaitFacts.Absent> absent) {}

  private static Around around(ResultSet row) throws SQLException {
    String worker = row.getString("worker");
    return new Around(
        time(row, "now"),
        new WaitFacts.Leader(
            row.getString("leader"),
            row.getBoolean("leader_live"),
            timeOrNull(row, "leader_seen_at")),
        worker == null
            ? Optional.empty()
            : Optional.of(new WaitFacts.Absent(worker, pools(row), why(row))));
  }

  private static WaitFacts.Why why(ResultSet row) throws SQLException {
    return switch (row.getString("state")) {
      case "DRAINING" -> WaitFacts.Why.DRAINING;
      case "CONNECTED" -> whyConnected(row);
      default -> WaitFacts.Why.DISCONNECTED;
    };
  }

  private static WaitFacts.Why whyConnected(ResultSet row) throws SQLException {
    if (row.getBoolean("troubled")) {
      return WaitFacts.Why.TROUBLED;
    }
    return row.getBoolean("set_aside") ? WaitFacts.Why.SET_ASIDE : WaitFacts.Why.SILENT;
  }

  private static Set<String> pools(ResultSet row) throws SQLException {
    return Set.copyOf(List.of((String[]) row.getArray("pools").getArray()));
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
