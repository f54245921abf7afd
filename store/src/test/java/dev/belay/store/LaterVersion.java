package dev.belay.store;

import dev.belay.embedded.testing.DatabaseAddress;

/** Migrates a database as a later version of Belay would. */
public final class LaterVersion {

  static final int NEWEST = 9001;

  private LaterVersion() {}

  public static void migrate(DatabaseAddress database) {
    migrate(database, "classpath:db/newer");
  }

  static void migrate(DatabaseAddress database, String further) {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()),
        NEWEST,
        Migrations.OURS,
        further);
  }
}
