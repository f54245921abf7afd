package dev.belay.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.ds.PGSimpleDataSource;

/** Migrates a database to the schema that this code needs. */
public final class Migrations {

  /** The version of the last file in db/migration. */
  static final int NEWEST = 41;

  static final String OURS = "classpath:db/migration";

  private Migrations() {}

  /**
   * Several replicas may call this at once (Flyway takes a lock), also on a database that is up to
   * date. Throws when the database is newer than this code, or when a migration changed after it
   * ran. If there is a migration to run, this ends the sessions of all servers first, and all
   * migrations run in one transaction.
   */
  public static void migrate(DataSource database) {
    migrate(database, NEWEST, OURS);
  }

  /**
   * @param known the newest version of this code, or of a later one
   * @param locations may include the migrations of a later Belay version
   */
  static void migrate(DataSource database, int known, String... locations) {
    try (Connection connection = database.getConnection()) {
      requireUsable(connection, known);
      Flyway.configure(Migrations.class.getClassLoader())
          .dataSource(new OneConnection(connection))
          .locations(locations)
          .ignoreMigrationPatterns(new String[0])
          .cleanDisabled(true)
          .group(true)
          .load()
          .migrate();
    } catch (SQLException failed) {
      throw new FlywayException("the database does not let us in", failed);
    }
  }

  private static void requireUsable(Connection connection, int known) throws SQLException {
    var facts = connection.getMetaData();
    if (facts.getDatabaseMajorVersion() < DatabaseTrouble.MAJOR_MIN) {
      throw new DatabaseTrouble.TooOld(facts.getDatabaseProductVersion());
    }
    SchemaLock.compare(connection, known);
  }

  /**
   * Flyway would keep its table on a second connection and could lose a migration's row when the
   * process dies. On one connection, a migration and its row commit together.
   */
  private static final class OneConnection extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    private final transient Connection kept;

    OneConnection(Connection connection) {
      this.kept =
          (Connection)
              Proxy.newProxyInstance(
                  Connection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    try {
                      return method.getName().equals("close")
                          ? null
                          : method.invoke(connection, arguments);
                    } catch (InvocationTargetException thrown) {
                      throw thrown.getCause();
                    }
                  });
    }

    @Override
    public Connection getConnection() {
      return kept;
    }
  }
}
