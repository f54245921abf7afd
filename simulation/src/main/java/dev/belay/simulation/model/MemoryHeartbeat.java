package dev.belay.simulation.model;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Keeps the row of one replica fresh: {@link dev.belay.store.replica.Heartbeat}.
 *
 * @param gap after a longer one it cannot vouch for the silence of its workers
 */
record MemoryHeartbeat(Tables tables, String name, Duration gap) implements Supplier<Instant> {

  /** replica/touch_replica. */
  @Override
  public Instant get() {
    return tables.database.statement(
        statement -> {
          Instant now = statement.now();
          Instant last = Outages.lastSeen(tables, statement, gap);
          if (last.isBefore(now.minus(gap))) {
            statement.upsert(
                tables.outage, last, new Outages.Outage(last, now), any -> false, any -> {});
          }
          for (ReplicaRow other : statement.rows(tables.replica, row -> !row.name.equals(name))) {
            statement
                .lockOrSkip(tables.replica, other.name, row -> row.seenAt.isAfter(now))
                .ifPresent(
                    row ->
                        statement.update(
                            tables.replica, row.name, any -> true, own -> own.seenAt = now));
          }
          var fresh = new ReplicaRow(name);
          fresh.seenAt = now;
          fresh.writingSince = now;
          statement.upsert(
              tables.replica,
              name,
              fresh,
              any -> true,
              row -> {
                row.writingSince = row.seenAt.isBefore(now.minus(gap)) ? now : row.writingSince;
                row.seenAt = now;
              });
          return now;
        });
  }
}
