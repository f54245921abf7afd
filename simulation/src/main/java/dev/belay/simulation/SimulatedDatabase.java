package dev.belay.simulation;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One connection to PostgreSQL, whose clock is the simulation's. */
final class SimulatedDatabase implements DataSource, AutoCloseable {
  private final Address address;
  private final InstantSource clock;
  private final Connection connection;
  private @Nullable Instant told;
  private boolean inUse;

  /** Where a database is. */
  record Address(String jdbcUrl, String user, String password) {}

  SimulatedDatabase(Address address, InstantSource clock) throws SQLException {
    this.address = address;
    this.clock = clock;
    this.connection = open();
  }

  /** A further connection, which keeps the time of its beginning. */
  Connection open() throws SQLException {
    var opened = DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    try (var statement = opened.createStatement()) {
      statement.execute("SET synchronous_commit = off; SET jit = off");
      tellTime(statement);
    }
    return opened;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (inUse) {
      throw new IllegalStateException("a second transaction inside the first");
    }
    var now = clock.instant();
    if (!now.equals(told)) {
      try (var statement = connection.createStatement()) {
        tellTime(statement);
      }
      told = now;
    }
    inUse = true;
    return lent();
  }

  private void tellTime(Statement statement) throws SQLException {
    statement.execute("SELECT set_config('belay.now', '" + clock.instant() + "', false)");
  }

  /** The connection without its end: closing gives it back. */
  private Connection lent() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, this::call);
  }

  private @Nullable Object call(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("close")) {
      inUse = false;
      return null;
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("one user");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException("nothing inside");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw new IllegalStateException("the simulation's connection does not close", failed);
    }
  }
}
