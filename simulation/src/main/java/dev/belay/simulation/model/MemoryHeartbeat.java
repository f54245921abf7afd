package dev.belay.simulation.model;

import java.time.Duration;
import java.time.Instant;

/**
 * Keeps the row of one replica fresh: {@link dev.belay.store.replica.Heartbeat}.
 *
 * @param gap after a longer one it cannot vouch for the silence of its workers
 */
record MemoryHeartbeat(Tables tables, String name, Duration gap) implements Runnable {

  /** replica/touch_replica. */
  @Override
  public void run() {
    tables.database.statement(
        statement -> {
          Instant now = statement.now();
          var fresh = new ReplicaRow(name);
          fresh.seenAt = now;
          fresh.writingSince = now;
          return statement.upsert(
              tables.replica,
              name,
              fresh,
              any -> true,
              row -> {
                row.writingSince = row.seenAt.isBefore(now.minus(gap)) ? now : row.writingSince;
                row.seenAt = now;
              });
        });
  }
}
