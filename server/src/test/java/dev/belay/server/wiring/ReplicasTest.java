package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.EmbeddedSettings;
import dev.belay.embedded.testing.TestPostgres;
import dev.belay.server.ServerSettings;
import dev.belay.session.wire.WorkerKey;
import dev.belay.store.LaterVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicasTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String[] WATCHFUL = {
    "tick=200ms", "probe=200ms", "database-silence=2s", "tick-silence=3s"
  };

  private static final String UPDATE_THIS_SERVER =
      "the schema of the database is at version 9001, this server knows ";

  @TempDir Path folder;

  @Test
  void leader_that_stops_hands_over_within_a_second() throws Exception {
    var database = fresh();
    try (var first = Running.start("a", folder, database)) {
      await().atMost(PATIENCE).until(first::leads);
      try (var second = Running.start("b", folder, database)) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(second.health().path("leader").path("name").asText())
                        .isEqualTo("a"));
        assertThat(second.leads()).isFalse();
        assertThat(second.status()).as("a follower is healthy").isEqualTo("healthy");
        assertThat(second.health().path("scheduler").path("role").asText()).isEqualTo("follower");
        assertThat(first.status()).isEqualTo("healthy");
        long epoch = first.health().path("leader").path("epoch").asLong();

        long begun = System.nanoTime();
        // In the background: it hands over first and closes the rest slowly.
        var stopped = CompletableFuture.runAsync(first::stop);
        await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(second::leads);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
        stopped.join();

        assertThat(second.health().path("leader").path("epoch").asLong()).isEqualTo(epoch + 1);
        assertThat(second.fetch("/api/v1/info").json().path("leader").asText()).isEqualTo("b");
        assertThat(second.fetch("/metrics").text())
            .contains("belay_leader 1.0", "belay_leader_epoch " + (epoch + 1) + ".0");
        await().atMost(PATIENCE).until(() -> second.status().equals("healthy"));
      }
    }
  }

  @Test
  void leader_whose_session_is_cut_is_followed_by_one_that_leads_anew() throws Exception {
    var database = fresh();
    try (var only = Running.start("a", folder, database);
        var connection = connect(database)) {
      await().atMost(PATIENCE).until(only::leads);
      long epoch = only.health().path("leader").path("epoch").asLong();
      run(
          connection,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND application_name = 'belay a leader "
              + epoch
              + "'");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(only.health().path("leader").path("epoch").asLong())
                      .isGreaterThan(epoch));
      await().atMost(PATIENCE).until(() -> only.status().equals("healthy"));
    }
  }

  @Test
  void tick_that_stands_still_shows_while_the_database_is_fine() throws Exception {
    var database = fresh();
    try (var only = Running.start("a", folder, database, WATCHFUL);
        var connection = connect(database)) {
      await().atMost(PATIENCE).until(() -> only.leads() && only.status().equals("healthy"));
      connection.setAutoCommit(false);
      run(connection, "LOCK TABLE mark IN ACCESS EXCLUSIVE MODE");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                var health = only.health();
                assertThat(health.path("scheduler").path("status").asText()).isEqualTo("unhealthy");
                assertThat(health.path("scheduler").path("last_tick_ms_ago").asLong())
                    .isGreaterThan(3_000);
                assertThat(health.path("database").path("status").asText()).isEqualTo("healthy");
              });
      assertThat(only.fetch("/monitor/health").status()).isEqualTo(503);
      connection.rollback();
      await().atMost(PATIENCE).until(() -> only.status().equals("healthy"));
    }
  }

  @Test
  void health_is_true_while_postgres_is_stopped_and_when_it_is_back() throws Exception {
    Path data = Files.createTempDirectory("belay-health-");
    var settings = EmbeddedSettings.persistent(data, TestPostgres.binariesFolder());
    var postgres = TestPostgres.start(settings);
    var database =
        new ServerSettings.Database(postgres.jdbcUrl(), postgres.user(), postgres.password());
    int port = postgres.port();
    try (var only = Running.start("a", folder, database, WATCHFUL)) {
      await().atMost(PATIENCE).until(() -> only.leads() && only.status().equals("healthy"));
      // A slow submit is in flight when the replica vanishes.
      CompletableFuture<Running.Answer> inFlight;
      try (var connection = connect(database)) {
        run(
            connection,
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql"
                + " AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';"
                + " CREATE TRIGGER slow BEFORE INSERT ON task EXECUTE FUNCTION slow()");
        inFlight = CompletableFuture.supplyAsync(only::submit);
        await().atMost(PATIENCE).until(() -> sleeps(connection));
        postgres.close();
      }
      assertAway(inFlight.get(4, TimeUnit.SECONDS));
      assertAway(only.submit());
      await()
          .atMost(Duration.ofSeconds(8))
          .untilAsserted(
              () -> {
                var health = only.health();
                assertThat(health.path("status").asText()).isEqualTo("unhealthy");
                assertThat(health.path("database").path("status").asText()).isEqualTo("unhealthy");
              });
      assertAway(only.submit());
      assertAway(only.fetch("/api/v1/runs"));
      assertThat(only.fetch("/readyz").status()).isEqualTo(503);
      assertThat(only.fetch("/healthz").status()).as("the process lives").isEqualTo(200);
      assertThat(only.fetch("/metrics").text()).contains("belay_database_up 0.0");

      postgres = TestPostgres.start(on(settings, port));
      await().atMost(PATIENCE).until(() -> only.leads() && only.status().equals("healthy"));
      try (var connection = connect(database)) {
        run(connection, "DROP TRIGGER slow ON task");
      }
      assertThat(only.submit().status()).isEqualTo(201);
    } finally {
      postgres.close();
    }
  }

  @Test
  void server_steps_down_when_a_newer_one_has_migrated_its_database() throws Exception {
    var address = TestPostgres.freshDatabase();
    var database =
        new ServerSettings.Database(address.jdbcUrl(), address.user(), address.password());
    try (var old = Running.start("a", folder, database, WATCHFUL)) {
      await().atMost(PATIENCE).until(() -> old.leads() && old.status().equals("healthy"));
      var worker = ForgedWorker.call(old.port(), old.joinToken());
      worker.say(ForgedWorker.hello(UUID.randomUUID(), WorkerKey.random(new Random(1)))).welcomed();

      LaterVersion.migrate(address);

      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(old.submit().text()).contains(UPDATE_THIS_SERVER));
      var refused = old.fetch("/api/v1/runs");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.text()).contains(UPDATE_THIS_SERVER);
      assertThat(refused.retryAfter()).hasValue("1");
      assertThat(old.fetch("/readyz").text()).contains(UPDATE_THIS_SERVER);
      // The migration ends the server's connections, and the stream may meet one of them first.
      assertThat(worker.ended()).containsAnyOf("shutting down", "could not go on");
      await().atMost(PATIENCE).until(() -> !old.leads());
      var health = old.health();
      assertThat(health.path("status").asText()).isEqualTo("unhealthy");
      assertThat(health.path("database").path("reason").asText()).contains(UPDATE_THIS_SERVER);
      assertThat(old.fetch("/metrics").text())
          .contains("belay_schema_newer 1.0", "belay_leader 0.0", "belay_worker_streams 0.0");
      assertThatThrownBy(() -> Running.start("b", folder, database))
          .isInstanceOf(BelayServer.ServerFailed.class)
          .hasMessageContaining(UPDATE_THIS_SERVER);
      try (var connection = connect(database)) {
        assertThat(text(connection, "SELECT count(*) FROM task")).isEqualTo("0");
      }
    }
  }

  /** Not before this replica has observed the database's clock for a lease: here 2.5 s. */
  @Test
  void task_whose_fence_is_over_is_claimed_by_a_replica_that_just_started() throws Exception {
    var database = fresh();
    try (var only =
            Running.start(
                "a", folder, database, "heartbeat=300ms", "lease=2s", "lease-margin=500ms");
        var connection = connect(database)) {
      await().atMost(PATIENCE).until(only::leads);
      assertThat(only.submit().status()).isEqualTo(201);
      run(connection, "UPDATE task SET lease_ends_at = now()");
      run(
          connection,
          """
          INSERT INTO worker (id, name, pools, slots, labels, version, platform, session_id,
                              connection, replica, state, started_at, connected_at, last_seen_at)
          VALUES (gen_random_uuid(), 'w', '{default}', 1, '{}', '1', 'linux', gen_random_uuid(),
                  1, 'a', 'CONNECTED', now(), now(), now())
          """);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(text(connection, "SELECT state || ' ' || reason FROM task"))
                      .isEqualTo("DISPATCHED claimed"));
      assertThat(text(connection, "SELECT lease_ends_at FROM task")).isNull();
    }
  }

  private static @Nullable String text(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  private static boolean sleeps(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row =
            statement.executeQuery("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")) {
      return row.next();
    }
  }

  private static void assertAway(Running.Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
    assertThat(answer.text()).contains("The database cannot be reached now");
    assertThat(answer.retryAfter()).hasValue("1");
  }

  private static EmbeddedSettings on(EmbeddedSettings settings, int port) {
    return new EmbeddedSettings(
        settings.dataFolder(),
        settings.binariesFolder(),
        port,
        settings.ephemeral(),
        settings.maxConnections(),
        settings.sharedBuffersMegabytes(),
        settings.startTimeout(),
        settings.stopTimeout(),
        settings.logBytesMax());
  }

  private static ServerSettings.Database fresh() {
    var address = TestPostgres.freshDatabase();
    return new ServerSettings.Database(address.jdbcUrl(), address.user(), address.password());
  }

  private static Connection connect(ServerSettings.Database database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
