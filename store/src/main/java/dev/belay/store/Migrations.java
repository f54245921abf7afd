package dev.belay.store;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a database to the schema that this code needs. */
public final class Migrations {

  private Migrations() {}

  /**
   * Safe to call from several replicas at once (Flyway takes a lock) and again on a database that
   * is up to date. Throws when the database is newer than this code or a migration was changed
   * after it ran.
   */
  public static void migrate(DataSource database) {
    requireVersion(database);
    Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .locations("classpath:db/migration")
        .ignoreMigrationPatterns(new String[0])
        .cleanDisabled(true)
        .load()
        .migrate();
  }

  private static void requireVersion(DataSource database) {
    try (var connection = database.getConnection()) {
      var facts = connection.getMetaData();
      if (facts.getDatabaseMajorVersion() < DatabaseTrouble.MAJOR_MIN) {
        throw new DatabaseTrouble.TooOld(facts.getDatabaseProductVersion());
      }
    } catch (SQLException failed) {
      throw new FlywayException("the database does not let us in", failed);
    }
  }
}
