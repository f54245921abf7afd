package dev.belay.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats a transaction that PostgreSQL aborted in favour of another one. */
public final class Retry {

  public static final String UNIQUE_VIOLATION = "23505";
  public static final String DEADLOCK = "40P01";
  public static final String SERIALIZATION_FAILURE = "40001";

  /** Tries of one transaction; more would hide a bug. */
  public static final int TRIES_MAX = 10;

  private Retry() {}

  /** Repeats {@code transaction} while it fails with one of these SQL states. */
  public static <T> T on(Set<String> states, Supplier<T> transaction) {
    for (int tries = 1; ; tries++) {
      try {
        return transaction.get();
      } catch (RuntimeException e) {
        var state = stateOf(e);
        if (tries == TRIES_MAX || state == null || !states.contains(state)) {
          throw e;
        }
      }
    }
  }

  /** Whether PostgreSQL is unreachable or ended the session. The work itself is not at fault. */
  public static boolean isAway(@Nullable Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return true;
      }
    }
    var state = stateOf(failure);
    // Connection exceptions and operator intervention: PostgreSQL is shutting down or starting up.
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  /** The SQL state behind a failure; null when the database did not cause it. */
  public static @Nullable String stateOf(@Nullable Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return null;
  }
}
