package dev.belay.simulation;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.IdentityHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One connection to PostgreSQL, with the simulation's clock. */
final class SimulatedDatabase implements DataSource, AutoCloseable {
  private final Address address;
  private final InstantSource clock;
  private final Connection connection;
  private final IdentityHashMap<Connection, Instant> told = new IdentityHashMap<>();
  private boolean inUse;

  record Address(String jdbcUrl, String user, String password) {}

  SimulatedDatabase(Address address, InstantSource clock) throws SQLException {
    this.address = address;
    this.clock = clock;
    this.connection = open();
  }

  /**
   * A further connection. Closing it frees its locks in simulated time; otherwise that would depend
   * on the real time until its backend ends.
   */
  Connection openToLock() throws SQLException {
    var opened = open();
    return lent(
        () -> {
          try (opened;
              var statement = opened.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock_all()");
          } finally {
            told.remove(opened);
          }
        },
        opened);
  }

  private Connection open() throws SQLException {
    var opened = DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    try (var statement = opened.createStatement()) {
      statement.execute("SET synchronous_commit = off; SET jit = off");
    }
    return opened;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (inUse) {
      throw new IllegalStateException("a second transaction inside the first");
    }
    inUse = true;
    return lent(() -> inUse = false, connection);
  }

  private void tellTime(Connection to) throws SQLException {
    var now = clock.instant();
    if (!now.equals(told.put(to, now))) {
      try (var statement = to.createStatement()) {
        statement.execute("SELECT set_config('belay.now', '" + now + "', false)");
      }
    }
  }

  private interface End {
    void close() throws SQLException;
  }

  /** The connection with another close(). */
  private Connection lent(End end, Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                end.close();
                return null;
              }
              if (method.getName().equals("prepareStatement")) {
                tellTime(connection);
              }
              return call(connection, method, arguments);
            });
  }

  private static @Nullable Object call(
      Connection connection, Method method, Object @Nullable [] arguments) throws Throwable {
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
