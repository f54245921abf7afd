package dev.belay.simulation.model;

import dev.belay.domain.reap.Recovered;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.RecoveryStatements;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Recoveries, written to rows. */
record MemoryRecoveryStatements(Tables tables, Session session) implements RecoveryStatements {

  @Override
  public void record(List<Recovered> recovered) {
    if (recovered.isEmpty()) {
      return;
    }
    session.<Integer>statement(
        statement -> {
          Instant now = statement.now();
          for (Recovered one : recovered) {
            long id = tables.nextRecovery(statement);
            statement.insert(tables.recovery, id, row(id, one, now));
          }
          return recovered.size();
        });
  }

  private static Histories.Recovery row(long id, Recovered one, Instant now) {
    return new Histories.Recovery(
        id,
        one.kind(),
        one.task(),
        one.run(),
        one.dispatch(),
        one.sinceLastSign(),
        one.promised(),
        now);
  }

  @Override
  public List<LastSign> readLastSigns(Collection<AttemptKey> attempts, Duration heartbeatInterval) {
    return session.statement(
        statement -> {
          var found = new ArrayList<LastSign>();
          for (AttemptKey key : attempts) {
            statement
                .read(tables.task, key.task())
                .filter(task -> key.dispatch().equals(task.dispatch))
                .map(AttemptRow::new)
                .ifPresent(attempt -> found.add(sign(statement, attempt, heartbeatInterval)));
          }
          return found;
        });
  }

  private LastSign sign(ModelStatement statement, AttemptRow attempt, Duration heartbeatInterval) {
    Instant now = statement.now();
    Optional<WorkerRow> worker = statement.read(tables.worker, attempt.worker);
    Instant connected = worker.map(row -> row.connectedAt).orElse(now);
    // The current heartbeat is the second that omits it, so the last that may have listed it is two
    // older.
    Instant named =
        worker.map(row -> row.lastSeenAt).orElse(now).minus(heartbeatInterval.multipliedBy(2));
    Instant begun = attempt.startedAt == null ? attempt.dispatchedAt : attempt.startedAt;
    return new LastSign(
        attempt.dispatch,
        attempt.task,
        attempt.worker,
        Duration.between(connected, now),
        Duration.between(begun.isAfter(named) ? begun : named, now));
  }
}
