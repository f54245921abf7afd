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
 * Keeps deposed leaders from writing. Each leader transaction takes the epoch lock shared and then,
 * in a second statement with a newer snapshot, compares the epoch; a new leader takes the epoch
 * lock exclusively before it raises the epoch. So once the comparison held, the epoch cannot change
 * before this transaction is over.
 */
public final class EpochLock {

  static final long LEADER_LOCK = 0x62656C61_00000001L;
  static final long EPOCH_LOCK = 0x62656C61_00000002L;

  private static final String LOCK = "SELECT pg_advisory_xact_lock_shared(" + EPOCH_LOCK + ")";

  /**
   * One round trip; each part runs with its own snapshot. A frozen leader cannot hold the epoch
   * lock for long.
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
   * A statement that compares the epoch itself, behind the lock and in one round trip with it. Sent
   * together outside of a transaction, both are one, and its commit follows at once. Only a process
   * that freezes between two packets of a long statement holds the epoch lock; the successor cuts
   * it off.
   */
  public static String behind(String statement) {
    return LOCK + "; " + statement;
  }

  /** Executes {@link #behind}, and reads the rows of its statement. */
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

  /** For a statement under the epoch lock that wrote nothing: was that because another leads? */
  public static void check(Handle handle, Epoch epoch) {
    long now = handle.createQuery(Sql.named("leader/read_epoch")).mapTo(Long.class).one();
    if (now != epoch.value()) {
      throw new Deposed(epoch);
    }
  }

  private static long readEpoch(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(ENTER);
      long epoch = -1;
      while (rows || statement.getUpdateCount() != -1) {
        if (rows) {
          try (ResultSet result = statement.getResultSet()) {
            // The last result is the epoch; the lock's own result is void.
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
