package dev.belay.store;

import dev.belay.embedded.testing.DatabaseAddress;

/** Migrates a database as a later version of Belay would. */
public final class LaterVersion {

  private LaterVersion() {}

  public static void migrate(DatabaseAddress database) {
    migrate(database, "classpath:db/newer");
  }

  static void migrate(DatabaseAddress database, String further) {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()),
        Migrations.OURS,
        further);
  }
}
