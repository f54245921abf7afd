package dev.belay.store.dispatch;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.leader.EpochLock;
import dev.belay.store.worker.MailboxRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Dispatching on PostgreSQL. */
public final class PostgresDispatch implements DispatchStore {

  private static final String CLAIM = EpochLock.behind(Sql.named("dispatch/claim_tasks"));

  private final Jdbi jdbi;
  private final Duration routableSilence;
  private final Meters meters;

  /**
   * @param routableSilence a worker that is silent for longer gets no new work
   * @param meters counts claims after their commit
   */
  public PostgresDispatch(Jdbi jdbi, Duration routableSilence, Meters meters) {
    this.jdbi = jdbi;
    this.routableSilence = routableSilence;
    this.meters = meters;
  }

  @Override
  public List<HeldSlots> readWorkers() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("dispatch/read_workers"))
                .bind("silence_seconds", routableSilence.toMillis() / 1000.0)
                .map((row, context) -> WorkerRows.heldSlots(row))
                .list());
  }

  @Override
  public List<Routing.Candidate> readCandidates(
      Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure) {
    var pools = List.copyOf(limitByPool.entrySet());
    return jdbi.withHandle(
        handle -> {
          var query =
              handle.createQuery(Sql.named("dispatch/read_candidates")).bind("sure", seconds(sure));
          Unnest.bind(query, "pools", String.class, pools, Map.Entry::getKey);
          Unnest.bind(query, "limits", Integer.class, pools, Map.Entry::getValue);
          Unnest.bind(query, "except", UUID.class, List.copyOf(except), TaskId::value);
          return query
              .map(
                  (row, context) ->
                      new Routing.Candidate(
                          new TaskId(row.getObject("id", UUID.class)),
                          row.getString("pool"),
                          row.getDouble("ready_since"),
                          row.getBoolean("again")))
              .list();
        });
  }

  @Override
  public List<MailboxEntry> claim(
      Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure) {
    List<Claimed> claimed =
        jdbi.withHandle(handle -> claim(handle, epoch, worker, session, claims, sure));
    meters.dispatched(claimed.stream().map(Claimed::waited).toList());
    return claimed.stream().map(Claimed::entry).flatMap(Optional::stream).toList();
  }

  private record Claimed(Optional<MailboxEntry> entry, Duration waited) {}

  private List<Claimed> claim(
      Handle handle,
      Epoch epoch,
      WorkerId worker,
      SessionId session,
      List<Claim> claims,
      Instant sure) {
    var query =
        handle
            .createQuery(CLAIM)
            .bind("worker", worker.value())
            .bind("session", session.value())
            .bind("epoch", epoch.value())
            .bind("sure", seconds(sure))
            .bind("again", claims.stream().anyMatch(Claim::again));
    Unnest.bind(query, "tasks", UUID.class, claims, claim -> claim.task().value());
    Unnest.bind(query, "dispatches", UUID.class, claims, claim -> claim.dispatch().value());
    Unnest.bind(query, "ready_since", Double.class, claims, Claim::readySince);
    List<Claimed> claimed =
        query.execute(
            (executed, context) -> EpochLock.rows(executed, context, PostgresDispatch::claimed));
    if (claimed.isEmpty()) {
      EpochLock.check(handle, epoch);
    }
    return claimed;
  }

  private static double seconds(Instant at) {
    return at.getEpochSecond() + at.getNano() / 1e9;
  }

  private static Claimed claimed(ResultSet row, StatementContext context) throws SQLException {
    return new Claimed(
        MailboxRows.entry(row),
        Duration.ofNanos(Math.round(row.getDouble("waited_seconds") * 1e9)));
  }

  @Override
  public Optional<Duration> readNextDue() {
    return jdbi.withHandle(PostgresDispatch::nextDue);
  }

  @Override
  public Optional<Quiet> lookQuiet() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("dispatch/look_quiet"))
                .map((row, context) -> new Quiet(dueIn(row.getObject("seconds", Double.class))))
                .findOne());
  }

  private static Optional<Duration> dueIn(@Nullable Double seconds) {
    return seconds == null
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  private static Optional<Duration> nextDue(Handle handle) {
    return handle
        .createQuery(Sql.named("dispatch/read_next_due"))
        .mapTo(Double.class)
        .findOne()
        .flatMap(PostgresDispatch::dueIn);
  }
}
