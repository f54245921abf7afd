package dev.belay.store.replica;

import dev.belay.store.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** Keeps the row of one replica fresh. */
public final class Heartbeat {

  private final Jdbi jdbi;
  private final String replica;
  private final Duration gap;

  /**
   * @param gap after a longer one it cannot vouch for the silence of its workers
   */
  public Heartbeat(Jdbi jdbi, String replica, Duration gap) {
    this.jdbi = jdbi;
    this.replica = replica;
    this.gap = gap;
  }

  /**
   * Forgets replicas of whom nobody has heard for so long, and outages when they count for nobody
   * any more.
   */
  public static void forget(Jdbi jdbi, Duration age) {
    jdbi.useHandle(
        handle -> {
          for (String statement : List.of("replica/forget_replicas", "replica/forget_outages")) {
            handle
                .createUpdate(Sql.named(statement))
                .bind("age_seconds", age.toSeconds())
                .execute();
          }
        });
  }

  /** Says that it can write, and learns how late it is by the database's clock. */
  public Instant beat() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("replica/touch_replica"))
                .bind("name", replica)
                .bind("gap_seconds", gap.toMillis() / 1000.0)
                .map((row, context) -> row.getTimestamp("seen_at").toInstant())
                .one());
  }
}
