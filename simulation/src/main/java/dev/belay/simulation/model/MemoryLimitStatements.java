package dev.belay.simulation.model;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Limits, on rows. */
record MemoryLimitStatements(Tables tables, Session session) implements LimitStatements {

  private static final double NANOS = 1e9;

  private static final Comparator<TaskRow> OLDEST_FIRST =
      Comparator.comparing((TaskRow task) -> Objects.requireNonNull(task.dispatchedAt))
          .thenComparing(task -> task.id);

  @Override
  public List<Granted> withdraw(List<Withdrawal> wanted) {
    return session.statement(
        statement -> {
          var granted = new ArrayList<Granted>();
          for (Withdrawal each : wanted) {
            granted.add(withdraw(statement, each));
          }
          return granted;
        });
  }

  private Granted withdraw(ModelStatement statement, Withdrawal wanted) {
    Instant now = statement.now();
    var key = TenantKey.of(wanted.key());
    int held = tables.guards.has(RaceGuard.HELD_TOKENS) ? wanted.held() : 0;
    Instant electedAt =
        statement.read(tables.leadership, true).map(row -> row.since).orElse(Instant.EPOCH);
    double level =
        statement
            .lock(tables.rateBucket, key, any -> true)
            .map(row -> flowed(row, wanted, now, electedAt))
            .orElse((double) wanted.size());
    double most =
        tables.guards.has(RaceGuard.BUCKET_SIZE) ? wanted.size() - held : Double.MAX_VALUE;
    double tokens = Math.max(0, Math.min(most, level));
    int taken = Math.min(wanted.wanted(), (int) Math.floor(tokens));
    double left = tokens - taken;
    var row = new BucketRow(left, wanted.held() + taken, now);
    if (!statement.insertIfAbsent(tables.rateBucket, key, row)) {
      statement.replace(tables.rateBucket, key, any -> true, before -> row);
    }
    return new Granted(wanted.key(), taken, left);
  }

  private double flowed(BucketRow row, Withdrawal wanted, Instant now, Instant electedAt) {
    double elapsed = seconds(row.filledAt(), now);
    Hold hold = wanted.hold();
    double held =
        Math.min(
            elapsed,
            hold.since() < 0
                ? seconds(row.filledAt(), electedAt)
                : hold.heldFor() + Math.max(0, elapsed - hold.since()));
    double over =
        Math.max(0, row.tokens() + row.held() - wanted.size() + wanted.perSecond() * held);
    double lost = tables.guards.has(RaceGuard.HELD_TOKENS) ? over : 0;
    return row.tokens() + wanted.returned() + elapsed * wanted.perSecond() - lost;
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos() / NANOS);
  }

  @Override
  public CancelledNew cancelNew(List<FullKey> keys, int max, String reason, String actor) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var full = new HashSet<QueueId>();
          var waiting = new TreeMap<TaskId, QueueId>();
          for (FullKey key : keys) {
            if (tables.guards.pass(
                RaceGuard.STILL_FULL, holding(statement, key.holders()).size() >= key.limit())) {
              full.add(key.queue());
              waiting(statement, key.queue(), now).stream()
                  .limit(Math.max(0, max - waiting.size()))
                  .forEach(task -> waiting.put(task.id, key.queue()));
            }
          }
          var cancelled = new ArrayList<Cancelled>();
          var runs = new TreeSet<RunId>();
          waiting.forEach(
              (id, queue) ->
                  end(
                          statement,
                          id,
                          queue,
                          new Step(null, TaskState.CANCELLED, reason, actor, null, now))
                      .ifPresent(
                          task -> {
                            cancelled.add(new Cancelled(id, task.run));
                            if (task.run != null) {
                              runs.add(task.run);
                            }
                          }));
          runs.forEach(run -> tables.mark(statement, run));
          return new CancelledNew(full, cancelled);
        });
  }

  private List<TaskRow> holding(ModelStatement statement, Set<QueueId> queues) {
    return statement.rows(
        tables.task,
        row -> row.state.isActive() && row.queue != null && queues.contains(row.queue));
  }

  private List<TaskRow> waiting(ModelStatement statement, QueueId queue, Instant now) {
    return statement.rows(
        tables.task,
        row ->
            row.state == TaskState.SCHEDULED
                && queue.equals(row.queue)
                && isReached(row.notBefore, now)
                && isReached(row.leaseEndsAt, now));
  }

  private static boolean isReached(@Nullable Instant time, Instant now) {
    return time == null || !time.isAfter(now);
  }

  /** Locks the current row in any state, and then looks at it again. */
  private Optional<TaskRow> end(ModelStatement statement, TaskId id, QueueId queue, Step to) {
    if (statement.lock(tables.task, id, any -> true).isEmpty()) {
      return Optional.empty();
    }
    Optional<TaskRow> ended =
        statement.update(
            tables.task,
            id,
            task ->
                tables.guards.pass(
                    RaceGuard.FROM_STATE,
                    task.state == TaskState.SCHEDULED && queue.equals(task.queue)),
            task -> {
              task.state = to.to();
              task.reason = to.reason();
              task.stateSince = to.at();
              task.notBefore = null;
              task.endedAt = to.at();
            });
    ended.ifPresent(
        task ->
            tables.stored(
                statement,
                task,
                new Step(TaskState.SCHEDULED, to.to(), to.reason(), to.actor(), null, to.at())));
    return ended;
  }

  @Override
  public List<AttemptKey> findOldestHolders(List<FullKey> keys, int max) {
    return session.statement(
        statement -> {
          var oldest = new TreeMap<TaskId, AttemptKey>();
          for (FullKey key : keys) {
            List<TaskRow> holding = new ArrayList<>(holding(statement, key.holders()));
            long asked = holding.stream().filter(task -> task.abort != null).count();
            long waiting =
                Math.min(key.limit(), waiting(statement, key.queue(), statement.now()).size());
            long missing = waiting == 0 ? 0 : holding.size() + waiting - key.limit() - asked;
            holding.sort(OLDEST_FIRST);
            holding.stream()
                .filter(task -> task.abort == null)
                .limit(Math.max(0, missing))
                .forEach(
                    task ->
                        oldest.put(
                            task.id,
                            new AttemptKey(task.id, Objects.requireNonNull(task.dispatch))));
          }
          return oldest.values().stream().limit(max).toList();
        });
  }
}
