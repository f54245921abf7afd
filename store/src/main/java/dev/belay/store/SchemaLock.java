package dev.belay.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Keeps a server off a schema that is newer than its code. Every server session takes this lock
 * shared before its first statement, compares the schema version, and holds the lock until it ends.
 * A migration ends those sessions and takes the lock exclusively in its own transaction. So no
 * statement of older code runs during or after a migration, even if its process was frozen.
 */
public final class SchemaLock {

  /** EpochLock has the leader's lock ids; beforeEachMigrate.sql takes this one exclusively. */
  private static final long LOCK = 0x62656C61_00000003L;

  /** The SQL state that refuses a session. */
  private static final String NEWER = "SCHEM";

  private static final String COMPARE = Sql.named("schema/compare_version");

  /** One round trip; the comparison has a newer snapshot than the lock. */
  static final String ENTER =
      "SET lock_timeout = '5s'; SELECT pg_advisory_lock_shared("
          + LOCK
          + "); "
          + comparison(Migrations.NEWEST);

  private SchemaLock() {}

  /** Must be the first statement on a connection outside the pools. */
  public static Connection enter(Connection connection) throws SQLException {
    try {
      execute(connection, ENTER);
      return connection;
    } catch (SQLException refused) {
      connection.close();
      throw refused;
    }
  }

  /** Compares without the lock: the caller does not wait for a running migration. */
  static void compare(Connection connection, int known) throws SQLException {
    execute(connection, comparison(known));
  }

  private static String comparison(int known) {
    return COMPARE.replace(":known", String.valueOf(known));
  }

  /** Why this server may not use the schema, if {@link #enter} or a pool refused it. */
  public static Optional<String> refusal(@Nullable Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException sql
          && NEWER.equals(sql.getSQLState())
          && sql.getServerErrorMessage() != null) {
        return Optional.ofNullable(sql.getServerErrorMessage().getMessage());
      }
    }
    return Optional.empty();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
