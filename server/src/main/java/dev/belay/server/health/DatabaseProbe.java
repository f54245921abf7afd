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
 * Asks the database again and again whether it is there, and who leads. On a connection of its own:
 * a pool that is busy is not a database that is away.
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

  /** Why the database cannot be used; a newer schema needs a newer server. */
  private record Unusable(String why, boolean newerSchema) {}

  private static final Unusable AWAY =
      new Unusable("The database cannot be reached now; try again in a moment.", false);

  /** Who leads, as far as this replica heard. */
  public record Leadership(String name, long epoch) {}

  /**
   * @param silenceMax the database is away when it has not answered for this long; also the
   *     deadline of one question
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

  /** Called by the probe's loop only. */
  public Duration runOnce() {
    try {
      try {
        ask();
      } catch (SQLException broken) {
        // The connection may be broken and the database be back already.
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

  /** Why the database cannot be used, in a sentence for whoever asks for something of it. */
  public Optional<String> trouble() {
    Unusable met = trouble == null && sinceAnswer().compareTo(silenceMax) > 0 ? AWAY : trouble;
    return Optional.ofNullable(met).map(Unusable::why);
  }

  /** A newer server has migrated the database: this one can do nothing until it is updated. */
  public boolean isSchemaNewer() {
    Unusable met = trouble;
    return met != null && met.newerSchema;
  }

  public Duration sinceAnswer() {
    return Duration.ofNanos(ticker.getAsLong() - answeredAt);
  }

  /** Who led when the database was asked last. */
  public Optional<Leadership> leadership() {
    return Optional.ofNullable(leadership);
  }

  /** When the loop is over, or from it. */
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
