package dev.belay.store.replica;

import dev.belay.store.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Updates the heartbeat row of one replica. For one thread. */
public final class Heartbeat {

  private final Jdbi jdbi;
  private final String replica;
  private final Duration gap;
  private final LongSupplier ticker;
  private @Nullable Long beaten;

  /**
   * @param gap after a longer gap, the replica cannot know whether its workers were silent
   * @param ticker monotonic nanoseconds: the database's clock may be set back during a gap
   */
  public Heartbeat(Jdbi jdbi, String replica, Duration gap, LongSupplier ticker) {
    this.jdbi = jdbi;
    this.replica = replica;
    this.gap = gap;
    this.ticker = ticker;
  }

  /**
   * Deletes replicas that have been silent for this long, and outages that no longer affect any
   * silence; returns the count.
   */
  public static int forget(Handle handle, Duration age) {
    int forgotten = 0;
    for (String statement : List.of("replica/forget_replicas", "replica/forget_outages")) {
      forgotten +=
          handle.createUpdate(Sql.named(statement)).bind("age_seconds", age.toSeconds()).execute();
    }
    return forgotten;
  }

  /** Records that this replica can write; returns the database's time. */
  public Instant beat() {
    long now = ticker.getAsLong();
    double away = beaten == null ? 0 : (now - beaten) / 1e9;
    Instant seen =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("replica/touch_replica"))
                    .bind("name", replica)
                    .bind("gap_seconds", gap.toMillis() / 1000.0)
                    .bind("away_seconds", away)
                    .map((row, context) -> row.getTimestamp("seen_at").toInstant())
                    .one());
    beaten = now;
    return seen;
  }
}
