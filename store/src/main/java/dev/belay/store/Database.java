package dev.belay.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/** How this process reaches PostgreSQL. */
public final class Database {

  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

  private Database() {}

  /** A pool; the caller closes it. */
  public static HikariDataSource pool(
      String jdbcUrl, String user, String password, int size, String applicationName) {
    var config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(Math.min(2, size));
    config.setConnectionTimeout(CONNECT_MAX.toMillis());
    config.setInitializationFailTimeout(-1);
    config.setPoolName("belay");
    config.addDataSourceProperty("ApplicationName", applicationName);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("socketTimeout", "60");
    return new HikariDataSource(config);
  }

  /** Knows how to bind the arrays that statements take. */
  public static Jdbi jdbi(DataSource source) {
    return Jdbi.create(source)
        .registerArrayType(UUID.class, "uuid")
        .registerArrayType(String.class, "text")
        .registerArrayType(Integer.class, "int4")
        .registerArrayType(Long.class, "int8")
        .registerArrayType(Boolean.class, "bool");
  }
}
