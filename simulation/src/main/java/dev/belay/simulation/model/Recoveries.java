package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Recoveries are written inside the transactions of the endings that they measure. */
final class Recoveries {

  private Recoveries() {}

  static void record(Tables tables, Transaction transaction, List<Recovered> recovered) {
    if (recovered.isEmpty()) {
      return;
    }
    transaction.<Boolean>statement(
        statement -> {
          Instant now = statement.now();
          for (Recovered one : recovered) {
            long id = tables.nextRecovery(statement);
            statement.insert(tables.recovery, id, row(id, one, now));
          }
          return true;
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

  /** The same for losses that the words of workers tell. */
  static void recordLosses(
      Tables tables,
      Transaction transaction,
      Map<DispatchId, RecoveryKind> kinds,
      Promises promises) {
    if (kinds.isEmpty()) {
      return;
    }
    List<Recovered> recovered =
        transaction.statement(
            statement -> {
              var found = new ArrayList<Recovered>();
              kinds.forEach(
                  (dispatch, kind) ->
                      statement
                          .read(tables.attempt, dispatch)
                          .map(attempt -> loss(tables, statement, attempt, kind, promises))
                          .ifPresent(found::add));
              return found;
            });
    record(tables, transaction, recovered);
  }

  private static Recovered loss(
      Tables tables,
      Statement statement,
      AttemptRow attempt,
      RecoveryKind kind,
      Promises promises) {
    Instant now = statement.now();
    Optional<WorkerRow> worker = statement.read(tables.worker, attempt.worker);
    Instant sign =
        kind == RecoveryKind.NOT_REPORTED
            ? lastReport(attempt, worker.map(row -> row.lastSeenAt).orElse(now), promises)
            : worker.map(row -> row.connectedAt).orElse(now);
    return new Recovered(
        kind,
        attempt.task,
        null,
        attempt.dispatch,
        attempt.worker,
        Duration.between(sign, now),
        promises.of(kind));
  }

  /**
   * The report that lacks it is the second such one, so the last that may have named it is two
   * older.
   */
  private static Instant lastReport(AttemptRow attempt, Instant lastSeen, Promises promises) {
    Instant begun = attempt.startedAt == null ? attempt.dispatchedAt : attempt.startedAt;
    Instant named = lastSeen.minus(promises.report().multipliedBy(2));
    return begun.isAfter(named) ? begun : named;
  }
}
