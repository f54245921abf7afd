package dev.belay.server.health;

import dev.belay.store.Connections;
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
  private volatile boolean failing;
  private volatile @Nullable Leadership leadership;

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
      if (failing) {
        log.atInfo().addKeyValue("awayMs", sinceAnswer().toMillis()).log("the database is back");
      }
      answeredAt = ticker.getAsLong();
      failing = false;
    } catch (SQLException away) {
      if (!failing) {
        log.atWarn().setCause(away).log("the database is out of reach");
      }
      failing = true;
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

  public boolean isAnswering() {
    return !failing && sinceAnswer().compareTo(silenceMax) <= 0;
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
