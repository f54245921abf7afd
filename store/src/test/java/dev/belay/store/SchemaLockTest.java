package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.embedded.testing.DatabaseAddress;
import dev.belay.embedded.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchemaLockTest {

  private static final String NEWER =
      "the schema of the database is at version 9001, this server knows %d: update this server"
          .formatted(Migrations.NEWEST);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final DatabaseAddress database = TestPostgres.freshDatabase();
  private final HikariDataSource server = migratedServer();

  /** The sessions of a server with the current version. */
  private HikariDataSource migratedServer() {
    Migrations.migrate(source());
    return Database.enginePool(
        database.jdbcUrl(),
        database.user(),
        database.password(),
        2,
        "old",
        Database.Bounds.DEFAULT);
  }

  private DataSource source() {
    return Database.forMigrations(database.jdbcUrl(), database.user(), database.password());
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void newest_version_is_that_of_the_last_file() {
    assertThat(version()).isEqualTo(Migrations.NEWEST);
  }

  @Test
  void session_of_an_older_server_is_ended_by_a_migration_and_none_is_opened_again()
      throws SQLException {
    try (Connection asleep = server.getConnection()) {
      LaterVersion.migrate(database);
      // However long its process was frozen.
      assertThatThrownBy(
              () -> execute(asleep, "INSERT INTO alert (kind, detail, at) SELECT 'x', 'x', now()"))
          .isInstanceOf(SQLException.class);
    }
    // The pool may still hold sessions that have ended.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(this::useServer)
                    .satisfies(refused -> assertThat(SchemaLock.refusal(refused)).hasValue(NEWER)));
    assertThatThrownBy(() -> SchemaLock.enter(connect()))
        .satisfies(refused -> assertThat(SchemaLock.refusal(refused)).hasValue(NEWER));
    assertThat(count("alert")).isZero();
  }

  @Test
  void server_that_starts_on_a_newer_schema_is_told_so() {
    LaterVersion.migrate(database);
    assertThatThrownBy(() -> Migrations.migrate(source()))
        .satisfies(
            refused -> assertThat(DatabaseTrouble.of(refused, database.user())).isEqualTo(NEWER));
  }

  @Test
  void write_that_is_under_way_is_rolled_back_before_the_migration() throws SQLException {
    try (Connection writes = server.getConnection()) {
      writes.setAutoCommit(false);
      execute(writes, "INSERT INTO alert (kind, detail, at) SELECT 'x', 'x', now()");
      LaterVersion.migrate(database);
      assertThatThrownBy(writes::commit).isInstanceOf(SQLException.class);
    }
    assertThat(count("alert")).isZero();
  }

  @Test
  void session_that_is_opened_during_a_migration_waits_for_it_and_is_refused() throws Exception {
    try (Connection reader = connect();
        Connection looks = connect()) {
      // Not a server's session, so the migration waits for it.
      reader.setAutoCommit(false);
      execute(reader, "LOCK TABLE alert IN ACCESS SHARE MODE");
      var migration =
          CompletableFuture.runAsync(
              () -> LaterVersion.migrate(database), Thread::startVirtualThread);
      await().atMost(PATIENCE).until(() -> waits(looks, "relation") == 1);
      var opened = CompletableFuture.supplyAsync(this::enters, Thread::startVirtualThread);
      await().atMost(PATIENCE).until(() -> waits(looks, "advisory") > 0);
      reader.rollback();
      migration.join();
      assertThat(opened.join()).isEqualTo(NEWER);
    }
  }

  @Test
  void migrator_that_dies_half_way_leaves_the_schema_to_the_older_servers() throws Exception {
    try (Connection reader = connect();
        Connection looks = connect()) {
      reader.setAutoCommit(false);
      execute(reader, "LOCK TABLE alert IN ACCESS SHARE MODE");
      var migration =
          CompletableFuture.runAsync(
              () -> LaterVersion.migrate(database), Thread::startVirtualThread);
      await().atMost(PATIENCE).until(() -> waits(looks, "relation") == 1);
      execute(
          looks,
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'relation' AND NOT"
              + " granted");
      assertThatThrownBy(migration::join).isNotNull();
    }
    assertGoesOn();
    LaterVersion.migrate(database);
    assertThat(version()).isEqualTo(9001);
  }

  @Test
  void migrations_that_fail_change_nothing_and_the_older_servers_go_on() {
    assertThatThrownBy(() -> LaterVersion.migrate(database, "classpath:db/broken"))
        .hasMessageContaining("there_is_no_such_table");
    assertGoesOn();
  }

  @Test
  void migration_that_a_person_keeps_waiting_is_given_up_and_the_older_servers_go_on()
      throws SQLException {
    try (Connection person = connect()) {
      String name = person.getCatalog();
      execute(person, "ALTER DATABASE \"" + name + "\" SET belay.migration_lock_wait = '200ms'");
      person.setAutoCommit(false);
      execute(person, "LOCK TABLE alert IN ACCESS SHARE MODE");
      assertThatThrownBy(() -> LaterVersion.migrate(database))
          .satisfies(
              given ->
                  assertThat(DatabaseTrouble.of(given, database.user()))
                      .contains("another session holds a lock"));
      assertGoesOn();
    }
    LaterVersion.migrate(database);
    assertThat(version()).isEqualTo(9001);
  }

  @Test
  void migrator_that_freezes_in_its_transaction_is_ended_by_the_database() throws SQLException {
    try (Connection migrator = source().getConnection();
        var statement = migrator.createStatement();
        var limit = statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
      limit.next();
      assertThat(limit.getString(1)).isEqualTo("10s");
    }
  }

  @Test
  void servers_of_the_same_version_that_start_end_no_session() throws SQLException {
    try (Connection session = server.getConnection()) {
      Migrations.migrate(source());
      execute(session, "SELECT 1");
    }
  }

  @Test
  void servers_of_a_new_version_migrate_once_when_they_start_together() {
    var second =
        CompletableFuture.runAsync(
            () -> LaterVersion.migrate(database), Thread::startVirtualThread);
    LaterVersion.migrate(database);
    second.join();
    assertThat(version()).isEqualTo(9001);
  }

  private void assertGoesOn() {
    assertThat(version()).isEqualTo(Migrations.NEWEST);
    await().atMost(PATIENCE).ignoreExceptions().untilAsserted(this::useServer);
  }

  private void useServer() throws SQLException {
    try (Connection session = server.getConnection()) {
      execute(session, "UPDATE replica SET seen_at = now()");
    }
  }

  private String enters() {
    try (var _ = SchemaLock.enter(connect())) {
      return "let in";
    } catch (SQLException refused) {
      return SchemaLock.refusal(refused).orElse(refused.toString());
    }
  }

  private static int waits(Connection looks, String kind) throws SQLException {
    try (var statement = looks.createStatement();
        var row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = '%s'"
                        .formatted(kind)
                    + " AND database = (SELECT oid FROM pg_database WHERE datname ="
                    + " current_database())")) {
      row.next();
      return row.getInt(1);
    }
  }

  private int version() {
    return number("SELECT max(CAST(version AS int)) FROM flyway_schema_history");
  }

  private int count(String table) {
    return number("SELECT count(*) FROM " + table);
  }

  private int number(String sql) {
    return Jdbi.create(source())
        .withHandle(handle -> handle.createQuery(sql).mapTo(Integer.class).one());
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
