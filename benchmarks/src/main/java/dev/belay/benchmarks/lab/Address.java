package dev.belay.benchmarks.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The address of one database. */
public record Address(String jdbcUrl, String user, String password) {

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }

  /** Another database of the same server. */
  Address database(String name) {
    int options = jdbcUrl.indexOf('?');
    String base = options < 0 ? jdbcUrl : jdbcUrl.substring(0, options);
    String rest = options < 0 ? "" : jdbcUrl.substring(options);
    return new Address(base.substring(0, base.lastIndexOf('/') + 1) + name + rest, user, password);
  }

  public void execute(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The single number that the query returns. */
  public long number(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public String toString() {
    return "Address[" + jdbcUrl.replaceFirst("\\?.*", "") + ", user=" + user + "]";
  }
}
