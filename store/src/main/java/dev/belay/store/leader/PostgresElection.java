package dev.belay.store.leader;

import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.store.Connections;
import dev.belay.store.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election by a session-level advisory lock. The lock has its own connection outside the
 * pools, with an idle timeout on the server, so a frozen leader loses it without outside help. Each
 * query also has a deadline on the client, in case the server freezes or the network drops packets.
 */
public final class PostgresElection implements Election {

  private static final Logger log = LoggerFactory.getLogger(PostgresElection.class);
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int LOCK_TRIES_MAX = 3;

  private final Connections connections;
  private final String replica;
  private final ElectionSettings settings;
  private final FailureLog trouble = new FailureLog(log, "campaign failed");
  private @Nullable Connection session;
  private boolean leads;

  public PostgresElection(Connections connections, String replica) {
    this(connections, replica, ElectionSettings.DEFAULT);
  }

  public PostgresElection(Connections connections, String replica, ElectionSettings settings) {
    this.connections = connections;
    this.replica = replica;
    this.settings = settings;
  }

  @Override
  public Optional<Epoch> campaign() {
    try {
      Connection open = session();
      if (!queryBoolean(open, "SELECT pg_try_advisory_lock(" + EpochLock.LEADER_LOCK + ")")) {
        trouble.over();
        return Optional.empty();
      }
      Epoch epoch = raiseEpoch(open);
      leads = true;
      rename(open, epoch);
      trouble.over();
      return Optional.of(epoch);
    } catch (SQLException failed) {
      trouble.met(failed);
      abort();
      return Optional.empty();
    }
  }

  private Connection session() throws SQLException {
    Connection open = session;
    if (open == null || open.isClosed()) {
      open = connections.open();
      session = open;
      leads = false;
      open.setNetworkTimeout(Runnable::run, (int) settings.query().toMillis());
      try (Statement statement = open.createStatement()) {
        // A session that freezes inside the transaction below would block everyone at the epoch
        // lock.
        statement.execute(
            "SET idle_session_timeout = %d; SET statement_timeout = %d; SET lock_timeout = %d;"
                    .formatted(
                        settings.idle().toMillis(),
                        settings.query().toMillis(),
                        settings.epochLockWait().toMillis())
                + " SET idle_in_transaction_session_timeout = '2s'");
      }
    }
    return open;
  }

  /** Waits until every write of the former leader ends, then raises the epoch. */
  private Epoch raiseEpoch(Connection open) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        return raiseOnce(open);
      } catch (SQLException failed) {
        if (tries == LOCK_TRIES_MAX || !LOCK_NOT_AVAILABLE.equals(failed.getSQLState())) {
          throw failed;
        }
        cutOff(open);
      }
    }
  }

  private Epoch raiseOnce(Connection open) throws SQLException {
    open.setAutoCommit(false);
    try (Statement lock = open.createStatement();
        var raise =
            open.prepareStatement(Sql.named("leader/raise_epoch").replace(":leader", "?"))) {
      lock.execute("SELECT pg_advisory_xact_lock(" + EpochLock.EPOCH_LOCK + ")");
      raise.setString(1, replica);
      long epoch;
      try (ResultSet row = raise.executeQuery()) {
        row.next();
        epoch = row.getLong(1);
      }
      open.commit();
      return new Epoch(epoch);
    } catch (SQLException failed) {
      open.rollback();
      throw failed;
    } finally {
      open.setAutoCommit(true);
    }
  }

  /**
   * Ends the sessions that hold the epoch lock. This replica holds the leader lock, so they belong
   * to an older epoch, and their uncommitted writes roll back.
   */
  private static void cutOff(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet sessions = statement.executeQuery(Sql.named("leader/cut_off"))) {
      while (sessions.next()) {
        log.atWarn()
            .addKeyValue("pid", sessions.getInt("pid"))
            .addKeyValue("session", sessions.getString("application_name"))
            .log("a session of the old leader did not end and is cut off");
      }
    }
  }

  /** Only for people who read pg_stat_activity. */
  private void rename(Connection open, Epoch epoch) throws SQLException {
    try (var statement = open.prepareStatement("SELECT set_config('application_name', ?, false)")) {
      statement.setString(1, "belay " + replica + " leader " + epoch.value());
      statement.execute();
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
      abort();
      return false;
    }
  }

  private static boolean queryBoolean(Connection open, String sql) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() && row.getBoolean(1);
    }
  }

  /** Frees the lock before it returns, not when the server notices the closed connection. */
  @Override
  public void resign() {
    Connection open = session;
    boolean led = leads;
    session = null;
    leads = false;
    if (open == null) {
      return;
    }
    try (open) {
      if (led && !open.isClosed()) {
        queryBoolean(open, "SELECT pg_advisory_unlock(" + EpochLock.LEADER_LOCK + ")");
      }
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("the leader's session did not close well");
    }
  }

  /** Sends nothing: the server may not answer. */
  private void abort() {
    Connection open = session;
    session = null;
    leads = false;
    if (open == null) {
      return;
    }
    try {
      open.abort(Runnable::run);
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("the leader's session did not end well");
    }
  }
}
