package dev.belay.simulation.model;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the row of one replica fresh: {@link dev.belay.store.replica.Heartbeat}. */
final class MemoryHeartbeat implements Supplier<Instant> {
  private final Tables tables;
  private final String name;
  private final Duration gap;
  private final LongSupplier ticker;
  private @Nullable Long beaten;

  /**
   * @param gap after a longer one it cannot vouch for the silence of its workers
   * @param ticker monotonic nanoseconds
   */
  MemoryHeartbeat(Tables tables, String name, Duration gap, LongSupplier ticker) {
    this.tables = tables;
    this.name = name;
    this.gap = gap;
    this.ticker = ticker;
  }

  @Override
  public Instant get() {
    long now = ticker.getAsLong();
    Instant seen = touch(Duration.ofNanos(beaten == null ? 0 : now - beaten));
    beaten = now;
    return seen;
  }

  /** replica/touch_replica. */
  private Instant touch(Duration away) {
    return tables.database.statement(
        statement -> {
          Instant now = statement.now();
          Instant last = Outages.lastSeen(tables, statement, gap);
          boolean hidden =
              away.compareTo(gap) > 0
                  && statement
                      .read(tables.replica, name)
                      .filter(own -> last.isBefore(own.seenAt.plus(gap.dividedBy(2))))
                      .isPresent();
          if (last.isBefore(now.minus(gap)) || hidden) {
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
