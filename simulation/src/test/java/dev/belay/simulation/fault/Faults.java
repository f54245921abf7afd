package dev.belay.simulation.fault;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database connection of a process that dies at a chosen point: before or after any statement,
 * before a commit, or after it, when the process never hears that it succeeded. Of a death the
 * database sees that the open transaction is rolled back, and nothing more; the next use belongs to
 * the next process.
 */
public final class Faults implements DataSource {

  /** The process is dead. */
  static final class Crash extends SQLException {
    private static final long serialVersionUID = 1L;

    Crash(String at) {
      super("crashed " + at, "08006");
    }
  }

  private final String url;
  private final String user;
  private final String password;
  private @Nullable Connection real;
  private long left = Long.MAX_VALUE;
  private boolean dead;

  public Faults(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /** Dies at the n-th point from here; n counts from 1. */
  public void arm(long points) {
    left = points;
  }

  public void disarm() {
    left = Long.MAX_VALUE;
  }

  /** Whoever goes on after its death, because it takes it for a failure, can do nothing more. */
  public boolean isDead() {
    return dead;
  }

  /** What uses it from here on is the next process. */
  public void revive() {
    dead = false;
  }

  private void point(String at) throws SQLException {
    if (dead) {
      throw new Crash("before");
    }
    if (left != Long.MAX_VALUE && --left == 0) {
      disarm();
      dead = true;
      if (real != null && !real.getAutoCommit()) {
        real.rollback();
        real.setAutoCommit(true);
      }
      throw new Crash(at);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (dead) {
      throw new Crash("before");
    }
    if (real == null) {
      real = DriverManager.getConnection(url, user, password);
    }
    return proxy(Connection.class, new OfConnection(real));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Faults.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final class OfConnection implements InvocationHandler {
    private final Connection connection;

    OfConnection(Connection connection) {
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] args)
        throws Throwable {
      return switch (method.getName()) {
        // The next handle of this process uses it again.
        case "close" -> null;
        case "rollback", "setAutoCommit" -> dead ? null : call(connection, method, args);
        case "commit" -> {
          point("before a commit");
          Object done = call(connection, method, args);
          point("after a commit");
          yield done;
        }
        case "createStatement" ->
            proxy(Statement.class, new OfStatement((Statement) called(connection, method, args)));
        case "prepareStatement" ->
            proxy(
                PreparedStatement.class,
                new OfStatement((Statement) called(connection, method, args)));
        default -> call(connection, method, args);
      };
    }
  }

  private final class OfStatement implements InvocationHandler {
    private final Statement statement;

    OfStatement(Statement statement) {
      this.statement = statement;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] args)
        throws Throwable {
      if (!method.getName().startsWith("execute")) {
        return call(statement, method, args);
      }
      point("before a statement");
      Object done = call(statement, method, args);
      point("after a statement");
      return done;
    }
  }

  private static Object called(Object target, Method method, Object @Nullable [] args)
      throws Throwable {
    Object made = call(target, method, args);
    if (made == null) {
      throw new IllegalStateException(method + " made nothing");
    }
    return made;
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  @Override
  public Connection getConnection(String otherUser, String otherPassword) throws SQLException {
    return getConnection();
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
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
