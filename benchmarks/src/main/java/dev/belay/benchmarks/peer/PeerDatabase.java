package dev.belay.benchmarks.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The database of one peer. */
record PeerDatabase(String jdbcUrl, String user, String password) {

  /** A pool in which no thread waits and inserts use as few statements as possible. */
  HikariDataSource pool(int connections) {
    var config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new HikariDataSource(config);
  }
}
