package dev.belay.store.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
  private final WorkerRows workers = new WorkerRows();

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
  public Holdings readWorkers() {
    return jdbi.withHandle(handle -> workers.read(handle, routableSilence));
  }

  @Override
  public List<Head> readWaiting(@Nullable QueueId after, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("dispatch/read_waiting"))
                .bind("after_queue", after == null ? Long.MIN_VALUE : after.value())
                .bind("max", max)
                .map(
                    (row, context) ->
                        new Head(new QueueId(row.getLong("queue_id")), row.getInt("priority")))
                .list());
  }

  @Override
  public List<Candidate> readCandidates(
      List<Wanted> wanted, Collection<TaskId> except, Instant sure) {
    return jdbi.withHandle(
        handle -> {
          var query =
              handle.createQuery(Sql.named("dispatch/read_candidates")).bind("sure", seconds(sure));
          Unnest.bind(query, "queues", Long.class, wanted, each -> each.queue().value());
          Unnest.bind(query, "takes", Integer.class, wanted, Wanted::take);
          Unnest.bind(query, "afters", UUID.class, wanted, PostgresDispatch::after);
          Unnest.bind(query, "except", UUID.class, List.copyOf(except), TaskId::value);
          return query.map((row, context) -> candidate(row)).list();
        });
  }

  private static @Nullable UUID after(Wanted wanted) {
    RunId after = wanted.after();
    return after == null ? null : after.value();
  }

  private static Candidate candidate(ResultSet row) throws SQLException {
    UUID run = row.getObject("run_id", UUID.class);
    return new Candidate(
        new TaskId(row.getObject("id", UUID.class)),
        new QueueId(row.getLong("queue_id")),
        run == null ? null : new RunId(run),
        row.getInt("priority"),
        row.getDouble("ready_since"),
        row.getBoolean("again"),
        lastAttempt(row));
  }

  private static @Nullable LastAttempt lastAttempt(ResultSet row) throws SQLException {
    UUID endedOn = row.getObject("ended_on", UUID.class);
    Double refusedAt = row.getObject("refused_at", Double.class);
    return endedOn == null
        ? null
        : new LastAttempt(
            new WorkerId(endedOn), refusedAt == null ? null : WorkerRows.instant(refusedAt));
  }

  @Override
  public Map<WorkerId, List<MailboxEntry>> claim(
      Epoch epoch, Map<Target, List<Claim>> claims, Instant sure) {
    List<One> flat = new ArrayList<>();
    claims.forEach((to, own) -> own.forEach(claim -> flat.add(new One(to, claim))));
    List<Claimed> claimed =
        jdbi.withHandle(handle -> claim(handle, epoch, claims.keySet(), flat, sure));
    count(flat, claimed);
    Map<WorkerId, List<MailboxEntry>> entries = new LinkedHashMap<>();
    for (Claimed one : claimed) {
      one.entry()
          .ifPresent(
              entry -> entries.computeIfAbsent(one.worker(), any -> new ArrayList<>()).add(entry));
    }
    return entries;
  }

  private void count(List<One> claims, List<Claimed> claimed) {
    Map<DispatchId, String> topics = new HashMap<>();
    for (One one : claims) {
      String topic = one.claim().topic();
      if (topic != null) {
        topics.put(one.claim().dispatch(), topic);
      }
    }
    meters.dispatched(
        claimed.stream()
            .map(one -> new Meters.Dispatched(topics.get(one.dispatch()), one.waited()))
            .toList());
  }

  private record One(Target to, Claim claim) {}

  private record Claimed(
      WorkerId worker, DispatchId dispatch, Optional<MailboxEntry> entry, Duration waited) {}

  private List<Claimed> claim(
      Handle handle, Epoch epoch, Collection<Target> targets, List<One> claims, Instant sure) {
    var query =
        handle
            .createQuery(CLAIM)
            .bind("epoch", epoch.value())
            .bind("sure", seconds(sure))
            .bind("again", claims.stream().anyMatch(one -> one.claim().again()));
    Unnest.bind(query, "live", UUID.class, List.copyOf(targets), to -> to.worker().value());
    Unnest.bind(query, "workers", UUID.class, claims, one -> one.to().worker().value());
    Unnest.bind(query, "sessions", UUID.class, claims, one -> one.to().session().value());
    Unnest.bind(query, "tasks", UUID.class, claims, one -> one.claim().task().value());
    Unnest.bind(query, "queues", Long.class, claims, PostgresDispatch::queue);
    Unnest.bind(query, "dispatches", UUID.class, claims, one -> one.claim().dispatch().value());
    Unnest.bind(query, "ready_since", Double.class, claims, one -> one.claim().readySince());
    Unnest.bind(query, "pools", String.class, claims, one -> one.claim().pool());
    List<Claimed> claimed =
        query.execute(
            (executed, context) -> EpochLock.rows(executed, context, PostgresDispatch::claimed));
    if (claimed.isEmpty()) {
      EpochLock.check(handle, epoch);
    }
    return claimed;
  }

  private static @Nullable Long queue(One one) {
    QueueId queue = one.claim().queue();
    return queue == null ? null : Long.valueOf(queue.value());
  }

  private static double seconds(Instant at) {
    return at.getEpochSecond() + at.getNano() / 1e9;
  }

  private static Claimed claimed(ResultSet row, StatementContext context) throws SQLException {
    return new Claimed(
        new WorkerId(row.getObject("worker_id", UUID.class)),
        new DispatchId(row.getObject("dispatch_id", UUID.class)),
        MailboxRows.entry(row),
        Duration.ofNanos(Math.round(row.getDouble("waited_seconds") * 1e9)));
  }

  @Override
  public void settle() {
    jdbi.useHandle(EpochLock::awaitHolders);
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
