package dev.belay.store;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;

/** Explains in one sentence why a database cannot be used and how to fix it. */
public final class DatabaseTrouble {

  /** Older versions lack features that our statements use. */
  public static final int MAJOR_MIN = 15;

  /** Causes can form a cycle. */
  private static final int CAUSES_MAX = 20;

  private static final int WHY_MAX_CHARS = 300;

  private DatabaseTrouble() {}

  /** The server is older than {@link #MAJOR_MIN}. */
  static final class TooOld extends FlywayException {
    private static final long serialVersionUID = 1L;

    TooOld(String version) {
      super(
          "it is PostgreSQL %s, and Belay needs %d or newer. Upgrade it, or use another"
              .formatted(version, MAJOR_MIN));
    }
  }

  /**
   * @param user the user of the failed login
   * @return without a full stop
   */
  public static String of(Throwable failure, String user) {
    var newer = SchemaLock.refusal(failure);
    if (newer.isPresent()) {
      return newer.get();
    }
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      String known =
          switch (cause) {
            case TooOld old -> String.valueOf(old.getMessage());
            case FlywayValidateException _ ->
                "its schema is not one that this version of Belay made; was it used by a newer"
                    + " version? Run that one, or use an empty database";
            case UnknownHostException _ ->
                "its host is not known on this machine. Check the name in --database-url";
            case ConnectException _ ->
                "nothing listens there. Start PostgreSQL, or check host and port in --database-url";
            case SocketTimeoutException _ ->
                "its host does not answer. Check the address and the network";
            case SQLException sql -> ofState(sql.getSQLState(), user);
            default -> "";
          };
      if (!known.isEmpty()) {
        return known;
      }
      cause = cause.getCause();
    }
    return innermost(failure);
  }

  private static String ofState(@Nullable String state, String user) {
    return switch (state == null ? "" : state) {
      case "28P01" ->
          "it refuses the password of user %s. Put the right one into --database-password-file"
              .formatted(user);
      case "28000" ->
          "it does not let user %s in. Check --database-user, and pg_hba.conf of the server"
              .formatted(user);
      case "3D000" -> "there is no such database. Create it (createdb), or correct the name";
      case "42501" ->
          "user %s may not create tables in it. GRANT CREATE ON SCHEMA public TO %s"
              .formatted(user, user);
      case "53300" ->
          "it has no connection left. Raise max_connections, or lower --database-connections";
      case "55P03" ->
          "another session holds a lock on its tables, so the migration was given up. End that"
              + " session (pg_stat_activity lists it), and start again";
      case "53100" -> "its disk is full";
      case "57P03" -> "it is starting up or shutting down. Try again in a moment";
      case "25006" -> "it is read-only. Is it a standby? Name the primary";
      default -> "";
    };
  }

  /** The first line of the driver's message; Flyway and Jdbi wrap it in more lines. */
  private static String innermost(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    String said = String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
    String why = said.isEmpty() ? cause.getClass().getSimpleName() : said;
    return why.length() <= WHY_MAX_CHARS ? why : why.substring(0, WHY_MAX_CHARS);
  }
}
