package dev.belay.store.leader;

import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.store.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election by a session-level advisory lock. The lock lives on a connection of its own,
 * never a pooled one, with an idle timeout on the server: a frozen leader loses it without
 * anybody's help.
 */
public final class PostgresElection implements Election {

  /** Opens a raw connection. */
  @FunctionalInterface
  public interface Connections {
    Connection open() throws SQLException;
  }

  private static final Logger log = LoggerFactory.getLogger(PostgresElection.class);
  private static final int QUERY_TIMEOUT_SECONDS = 3;

  private final Connections connections;
  private final String replica;
  private @Nullable Connection session;
  private boolean leads;

  public PostgresElection(Connections connections, String replica) {
    this.connections = connections;
    this.replica = replica;
  }

  @Override
  public Optional<Epoch> campaign() {
    try {
      Connection open = session();
      if (!queryBoolean(open, "SELECT pg_try_advisory_lock(" + Fence.LEADER_LOCK + ")")) {
        return Optional.empty();
      }
      var epoch = raiseEpoch(open);
      leads = true;
      return Optional.of(epoch);
    } catch (SQLException failed) {
      log.atWarn().setCause(failed).log("campaign failed");
      resign();
      return Optional.empty();
    }
  }

  private Connection session() throws SQLException {
    Connection open = session;
    if (open == null || open.isClosed()) {
      open = connections.open();
      session = open;
      leads = false;
      try (Statement statement = open.createStatement()) {
        statement.execute("SET idle_session_timeout = '10s'; SET statement_timeout = '10s'");
      }
    }
    return open;
  }

  /** Waits until every write of the former leader is over, then makes its epoch the past. */
  private Epoch raiseEpoch(Connection open) throws SQLException {
    open.setAutoCommit(false);
    try (Statement lock = open.createStatement();
        var raise =
            open.prepareStatement(Sql.named("leader/raise_epoch").replace(":leader", "?"))) {
      lock.execute("SELECT pg_advisory_xact_lock(" + Fence.FENCE_LOCK + ")");
      raise.setString(1, replica);
      long epoch;
      try (ResultSet row = raise.executeQuery()) {
        row.next();
        epoch = row.getLong(1);
      }
      open.commit();
      return new Epoch(epoch);
    } finally {
      open.setAutoCommit(true);
    }
  }

  @Override
  public boolean renew() {
    Connection open = session;
    if (open == null || !leads) {
      return false;
    }
    try {
      return queryBoolean(open, "SELECT true");
    } catch (SQLException lost) {
      log.atWarn().setCause(lost).log("the leader's session is lost");
      return false;
    }
  }

  private static boolean queryBoolean(Connection open, String sql) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
      try (ResultSet row = statement.executeQuery(sql)) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  @Override
  public void resign() {
    Connection open = session;
    session = null;
    leads = false;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("the leader's session did not close well");
    }
  }

  /** The epoch in force, for those who only look. */
  public static long readEpoch(Jdbi jdbi) {
    return jdbi.withHandle(
        handle -> handle.createQuery(Sql.named("leader/read_epoch")).mapTo(Long.class).one());
  }
}
