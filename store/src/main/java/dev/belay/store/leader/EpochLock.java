package dev.belay.store.leader;

import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.store.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * Keeps deposed leaders from writing. Each leader transaction takes the epoch lock shared, then
 * compares the epoch in a second statement with a newer snapshot. A new leader takes the lock
 * exclusively before it raises the epoch. So the epoch cannot change between a successful
 * comparison and the end of the transaction.
 */
public final class EpochLock {

  static final long LEADER_LOCK = 0x62656C61_00000001L;
  static final long EPOCH_LOCK = 0x62656C61_00000002L;

  private static final String LOCK = "SELECT pg_advisory_xact_lock_shared(" + EPOCH_LOCK + ")";

  /**
   * One round trip; each part has its own snapshot. The timeouts keep a frozen leader from holding
   * the epoch lock for long.
   */
  private static final String ENTER =
      "SET LOCAL idle_in_transaction_session_timeout = '2s';"
          + " SET LOCAL statement_timeout = '30s';"
          + " SET LOCAL lock_timeout = '10s'; "
          + LOCK
          + "; SELECT epoch FROM leadership";

  private EpochLock() {}

  /** Must be the first statement of a leader's transaction. */
  public static void enter(Handle handle, Epoch epoch) {
    try {
      if (readEpoch(handle.getConnection()) != epoch.value()) {
        throw new Deposed(epoch);
      }
    } catch (SQLException failed) {
      throw new UnableToExecuteStatementException(failed, null);
    }
  }

  /**
   * Puts a statement that compares the epoch itself behind the lock, in one round trip. Outside a
   * transaction, PostgreSQL runs both as one transaction and commits at once. Only a process that
   * freezes between two packets of a long statement keeps the epoch lock; the successor ends its
   * session.
   */
  public static String behind(String statement) {
    return LOCK + "; " + statement;
  }

  /** Executes {@link #behind} and reads the rows of its statement. */
  public static <T> List<T> rows(
      Supplier<PreparedStatement> executed, StatementContext context, RowMapper<T> mapper)
      throws SQLException {
    try (context) {
      PreparedStatement statement = executed.get();
      statement.getMoreResults();
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.getResultSet()) {
        while (result.next()) {
          rows.add(mapper.map(result, context));
        }
      }
      return rows;
    }
  }

  /** Call after a statement under the epoch lock wrote nothing: throws if another replica leads. */
  public static void check(Handle handle, Epoch epoch) {
    long now = handle.createQuery(Sql.named("leader/read_epoch")).mapTo(Long.class).one();
    if (now != epoch.value()) {
      throw new Deposed(epoch);
    }
  }

  /** Returns when each transaction that held the lock has ended. */
  public static void awaitHolders(Handle handle) {
    handle
        .createQuery(Sql.named("leader/await_holders"))
        .bind("epoch_lock", EPOCH_LOCK)
        .mapTo(Integer.class)
        .one();
  }

  private static long readEpoch(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(ENTER);
      long epoch = -1;
      while (rows || statement.getUpdateCount() != -1) {
        if (rows) {
          try (ResultSet result = statement.getResultSet()) {
            // The epoch is the last result; the lock's own result is void.
            epoch =
                result.next() && result.getMetaData().getColumnName(1).equals("epoch")
                    ? result.getLong(1)
                    : -1;
          }
        }
        rows = statement.getMoreResults();
      }
      return epoch;
    }
  }
}
