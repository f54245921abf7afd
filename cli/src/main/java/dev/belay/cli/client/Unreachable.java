package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;

/** The server gave no answer, or is unavailable. */
public final class Unreachable extends CommandFailed {
  private static final long serialVersionUID = 1L;

  private final String why;

  Unreachable(ServerAddress connection, Exception cause) {
    this(connection, NoAnswer.of(connection.url(), cause), cause);
  }

  private Unreachable(ServerAddress connection, NoAnswer none, Exception cause) {
    super(
        ExitCode.UNREACHABLE,
        "No Belay server answers at %s (from %s): %s. %s"
            .formatted(connection.url(), connection.source(), none.why(), none.advice()),
        cause);
    this.why = "no answer from %s (%s)".formatted(connection.url(), none.why());
  }

  /** It answered that it is unavailable now; it may work in a moment. */
  Unreachable(ApiRefused unavailable) {
    super(ExitCode.UNREACHABLE, unavailable.getMessage(), unavailable);
    this.why = unavailable.getMessage().strip().replaceAll("\\.$", "");
  }

  /** In a few words, for a reader who knows which server is meant. */
  public String why() {
    return why;
  }
}
