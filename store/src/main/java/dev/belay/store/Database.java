package dev.belay.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens connections and pools to PostgreSQL. */
public final class Database {

  private static final String MIGRATION_OPTIONS =
      "-c idle_in_transaction_session_timeout=10s -c tcp_keepalives_idle=5"
          + " -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3";

  private static final Duration VALIDATE_MAX = Duration.ofSeconds(1);

  /** Added to the statement timeout: the client gives up only when the server does not answer. */
  private static final Duration SILENCE_GRACE = Duration.ofSeconds(2);

  /**
   * How long this process waits for PostgreSQL.
   *
   * @param connect limit for getting a pooled connection. With the connection check it stays below
   *     5 s by default, so a caller learns soon that the database is down
   * @param statement limit in pools that serve callers
   * @param engineStatement limit in the engine's pool
   * @param lockWait limit for a lock; EpochLock sets its own
   * @param idleTransaction a frozen process must not hold locks that others wait for; EpochLock
   *     sets its own
   */
  public record Bounds(
      Duration connect,
      Duration statement,
      Duration engineStatement,
      Duration lockWait,
      Duration idleTransaction) {
    public static final Bounds DEFAULT =
        new Bounds(
            Duration.ofSeconds(3),
            Duration.ofSeconds(8),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5));

    private String sql() {
      return "SET idle_in_transaction_session_timeout = %d; SET lock_timeout = %d"
          .formatted(idleTransaction.toMillis(), lockWait.toMillis());
    }
  }

  private static final String BY_ID =
      "; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;"
          + " SET enable_hashjoin = off; SET enable_mergejoin = off";

  private Database() {}

  /**
   * A pool for the engine; the caller closes it. Engine statements take arrays and find rows by id.
   * Making a plan costs more than running it, so one generic plan serves every call. A plan made
   * while the tables were empty must not scan them once they are full.
   */
  public static HikariDataSource enginePool(
      String jdbcUrl,
      String user,
      String password,
      int size,
      String applicationName,
      Bounds bounds) {
    var config = config(jdbcUrl, user, password, size, applicationName);
    return pool(config, bounds, bounds.engineStatement(), bounds.sql() + BY_ID);
  }

  /** A pool that serves callers; the caller closes it. */
  public static HikariDataSource pool(
      String jdbcUrl,
      String user,
      String password,
      int size,
      String applicationName,
      Bounds bounds) {
    var config = config(jdbcUrl, user, password, size, applicationName);
    return pool(config, bounds, bounds.statement(), bounds.sql());
  }

  private static HikariConfig config(
      String jdbcUrl, String user, String password, int size, String applicationName) {
    if (jdbcUrl.contains("stringtype=")) {
      // Untyped parameters could separate a statement from the epoch lock that protects it
      // (EpochLock.behind).
      throw new IllegalArgumentException("the URL must not set stringtype; remove it");
    }
    var config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(Math.min(2, size));
    config.setValidationTimeout(VALIDATE_MAX.toMillis());
    config.setInitializationFailTimeout(-1);
    config.setPoolName("belay");
    config.addDataSourceProperty("ApplicationName", applicationName);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    // Error details contain row values, which must not reach a log.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    return config;
  }

  private static HikariDataSource pool(
      HikariConfig config, Bounds bounds, Duration statementMax, String initSql) {
    config.setConnectionTimeout(bounds.connect().toMillis());
    config.setConnectionInitSql(
        "%s; %s; SET statement_timeout = %d"
            .formatted(SchemaLock.ENTER, initSql, statementMax.toMillis()));
    config.addDataSourceProperty(
        "socketTimeout", Long.toString(statementMax.plus(SILENCE_GRACE).toSeconds()));
    return new HikariDataSource(config);
  }

  /** Without the limits of the pool: a migration may take long. */
  public static DataSource forMigrations(String jdbcUrl, String user, String password) {
    var source = new PGSimpleDataSource();
    source.setURL(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    // A migration locks all servers out: one that freezes, or whose machine dies, must end soon.
    source.setTcpKeepAlive(true);
    String given = source.getOptions();
    source.setOptions((given == null ? "" : given + " ") + MIGRATION_OPTIONS);
    return source;
  }

  /**
   * Binds the array types that statements take. Its exceptions hide arguments, because these can
   * contain the environment of tasks.
   */
  public static Jdbi jdbi(DataSource source) {
    var jdbi = Jdbi.create(source);
    jdbi.setTransactionHandler(new ClaimedTransactions());
    return jdbi.configure(
            StatementExceptions.class,
            exceptions -> exceptions.setMessageRendering(StatementExceptions.MessageRendering.NONE))
        .registerArrayType(UUID.class, "uuid")
        .registerArrayType(String.class, "text")
        .registerArrayType(Integer.class, "int4")
        .registerArrayType(Long.class, "int8")
        .registerArrayType(Boolean.class, "bool");
  }
}
