package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.DatabaseAddress;
import dev.belay.embedded.testing.TestPostgres;
import dev.belay.server.ServerSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loops of triggers beside loops that are slow. */
@Timeout(60)
class TriggerLoopsTest {

  private static final String EACH_SECOND =
      """
      {"name": "w", "triggers": [{"every": "1s"}], "tasks": [{"name": "a", "command": ["true"]}]}
      """;

  /** The engine's, of the six that a replica of these tests has. */
  private static final int CONNECTIONS = 4;

  private static final String WAITING =
      "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  /** More loops than the engine has connections wait for these tables. */
  private static final String HELD =
      "LOCK TABLE task, worker, replica, chain_fire, event_fire IN ACCESS EXCLUSIVE MODE";

  @Test
  void schedule_is_not_late_while_other_loops_hold_all_connections_of_the_engine(
      @TempDir Path folder) throws Exception {
    var address = TestPostgres.freshDatabase();
    var database =
        new ServerSettings.Database(address.jdbcUrl(), address.user(), address.password());
    try (var server =
            Running.start("r", folder, database, "api-statement-max=1m", "lock-wait-max=30s");
        var watch = open(address);
        var holder = open(address)) {
      await().atMost(Duration.ofSeconds(30)).until(server::leads);
      assertThat(server.post("/api/v1/workflows", EACH_SECOND).status()).isEqualTo(201);
      await().atMost(Duration.ofSeconds(10)).until(() -> count(watch, "fire") > 0);
      holder.setAutoCommit(false);
      try (var hold = holder.createStatement()) {
        hold.execute(HELD);
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> count(watch, WAITING) >= CONNECTIONS);
      long before = count(watch, "fire");
      await()
          .atMost(Duration.ofSeconds(6))
          .untilAsserted(() -> assertThat(count(watch, "fire")).isGreaterThan(before + 2));
      holder.rollback();
    }
  }

  private static Connection open(DatabaseAddress address) throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
  }

  private static long count(Connection connection, String from) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM " + from)) {
      row.next();
      return row.getLong(1);
    }
  }
}
