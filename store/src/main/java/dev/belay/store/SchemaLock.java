package dev.belay.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Keeps a server off a schema that is newer than its code. Every session of a server takes this
 * lock shared before its first statement, compares the schema's version then, and holds the lock
 * until it ends. A migration ends those sessions and takes the lock alone in its own transaction.
 * So no statement of older code runs beside a migration or after it, whatever that process believes
 * or however long it was frozen.
 */
public final class SchemaLock {

  /** Beside those of the leader (EpochLock); beforeEachMigrate.sql takes it alone. */
  private static final long LOCK = 0x62656C61_00000003L;

  /** The SQL state of a session that is refused. */
  private static final String NEWER = "SCHEM";

  private static final String COMPARE =
      Sql.named("schema/compare_version").replace(":known", String.valueOf(Migrations.NEWEST));

  /** One round trip; the comparison has a newer snapshot than the lock. */
  static final String ENTER =
      "SET lock_timeout = '5s'; SELECT pg_advisory_lock_shared(" + LOCK + "); " + COMPARE;

  private SchemaLock() {}

  /** The first statement on a connection that belongs to no pool. */
  public static Connection enter(Connection connection) throws SQLException {
    try {
      execute(connection, ENTER);
      return connection;
    } catch (SQLException refused) {
      connection.close();
      throw refused;
    }
  }

  /** Only looks: a migration under way is nothing to wait for. */
  static void compare(Connection connection) throws SQLException {
    execute(connection, COMPARE);
  }

  /** Why this server may not use the database, when {@link #enter} or a pool refused it so. */
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
