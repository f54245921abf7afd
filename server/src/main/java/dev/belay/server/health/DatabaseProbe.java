package dev.belay.server.health;

import dev.belay.store.Connections;
import dev.belay.store.SchemaLock;
import dev.belay.store.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls whether the database answers and who leads. It has its own connection, because a busy pool
 * does not mean that the database is down.
 */
public final class DatabaseProbe implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DatabaseProbe.class);

  private final Connections connections;
  private final LongSupplier ticker;
  private final Duration every;
  private final Duration silenceMax;
  private @Nullable Connection session;
  private volatile long answeredAt;
  private volatile @Nullable Unusable trouble;
  private volatile @Nullable Leadership leadership;

  /** Why the database is unusable; a newer schema needs a newer server. */
  private record Unusable(String why, boolean newerSchema) {}

  private static final Unusable AWAY =
      new Unusable("The database cannot be reached now; try again in a moment.", false);

  /** The leader, as far as this replica knows. */
  public record Leadership(String name, long epoch) {}

  /**
   * @param silenceMax the database counts as down when it has not answered for this long; also the
   *     deadline of one query
   * @param ticker monotonic nanoseconds
   */
  public DatabaseProbe(
      Connections connections, Duration every, Duration silenceMax, LongSupplier ticker) {
    this.connections = connections;
    this.every = every;
    this.silenceMax = silenceMax;
    this.ticker = ticker;
    this.answeredAt = ticker.getAsLong();
  }

  /** Only the probe's loop calls this. */
  public Duration runOnce() {
    try {
      try {
        ask();
      } catch (SQLException broken) {
        // The connection may be broken although the database is back.
        close();
        ask();
      }
      if (trouble != null) {
        log.atInfo().addKeyValue("awayMs", sinceAnswer().toMillis()).log("the database is back");
      }
      answeredAt = ticker.getAsLong();
      trouble = null;
    } catch (SQLException failed) {
      Unusable met = SchemaLock.refusal(failed).map(DatabaseProbe::newer).orElse(AWAY);
      if (!met.equals(trouble)) {
        log.atWarn()
            .setCause(failed)
            .log(
                met.newerSchema
                    ? "the schema of the database is newer, this server steps down"
                    : "the database is out of reach");
      }
      trouble = met;
      close();
    }
    return every;
  }

  private void ask() throws SQLException {
    Connection open = session;
    if (open == null) {
      open = connections.open();
      session = open;
      open.setNetworkTimeout(Runnable::run, (int) silenceMax.toMillis());
    }
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery(Sql.named("read/find_leadership"))) {
      if (row.next()) {
        String name = row.getString("leader");
        leadership = name == null ? null : new Leadership(name, row.getLong("epoch"));
      }
    }
  }

  private static Unusable newer(String why) {
    return new Unusable("This server cannot use its database: " + why + ".", true);
  }

  public boolean isAnswering() {
    return trouble().isEmpty();
  }

  /** Why the database is unusable, in a sentence for callers. */
  public Optional<String> trouble() {
    Unusable met = trouble == null && sinceAnswer().compareTo(silenceMax) > 0 ? AWAY : trouble;
    return Optional.ofNullable(met).map(Unusable::why);
  }

  /** A newer server migrated the database: this one cannot work until it is updated. */
  public boolean isSchemaNewer() {
    Unusable met = trouble;
    return met != null && met.newerSchema;
  }

  public Duration sinceAnswer() {
    return Duration.ofNanos(ticker.getAsLong() - answeredAt);
  }

  /** The leader at the last answer of the database. */
  public Optional<Leadership> leadership() {
    return Optional.ofNullable(leadership);
  }

  /** Call after the loop ended, or from it. */
  @Override
  public void close() {
    Connection open = session;
    session = null;
    if (open == null) {
      return;
    }
    try {
      open.abort(Runnable::run);
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("connection did not close well");
    }
  }
}
