package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;

/** The server gave no answer, or said that it cannot serve now. */
public final class Unreachable extends CommandFailed {
  private static final long serialVersionUID = 1L;

  Unreachable(Connection connection, Exception cause) {
    super(
        ExitCode.UNREACHABLE,
        "No Belay server answers at %s (from %s): %s. Start one with `belay lite`, or name another with --server."
            .formatted(connection.url(), connection.source(), why(cause)),
        cause);
  }

  /** It answered, but only that it cannot do its work now: it may in a moment. */
  Unreachable(ApiRefused unavailable) {
    super(ExitCode.UNREACHABLE, unavailable.getMessage(), unavailable);
  }

  private static String why(Exception cause) {
    return switch (cause) {
      case java.net.http.HttpTimeoutException timeout -> "it took too long";
      case java.net.ConnectException refused -> "the connection was refused";
      default -> cause.getMessage() == null ? "the connection broke" : cause.getMessage();
    };
  }
}
