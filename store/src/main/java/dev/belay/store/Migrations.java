package dev.belay.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings a database to the schema that this code needs. */
public final class Migrations {

  private Migrations() {}

  /**
   * Safe to call from several replicas at once (Flyway takes a lock) and again on a database that
   * is up to date. Throws when the database is newer than this code or a migration was changed
   * after it ran.
   */
  public static void migrate(DataSource database) {
    Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .locations("classpath:db/migration")
        .ignoreMigrationPatterns(new String[0])
        .cleanDisabled(true)
        .load()
        .migrate();
  }
}
