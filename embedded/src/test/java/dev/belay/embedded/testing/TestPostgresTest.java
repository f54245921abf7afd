package dev.belay.embedded.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TestPostgresTest {
  @Test
  void each_fresh_database_is_empty_and_apart() throws SQLException {
    DatabaseAddress first = TestPostgres.freshDatabase();
    try (Connection connection = connect(first)) {
      connection.createStatement().execute("CREATE TABLE belongs_to_first ()");
    }
    DatabaseAddress second = TestPostgres.freshDatabase();
    assertThat(second.jdbcUrl()).isNotEqualTo(first.jdbcUrl());
    try (Connection connection = connect(second);
        var tables =
            connection
                .createStatement()
                .executeQuery("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) {
      assertThat(tables.next()).isTrue();
      assertThat(tables.getInt(1)).isZero();
    }
  }

  private static Connection connect(DatabaseAddress address) throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
  }
}
