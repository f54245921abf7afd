package dev.belay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** The server answered with a refusal. */
public final class ApiRefused extends CommandFailed {
  private static final long serialVersionUID = 1L;
  private static final int ERRORS_SHOWN_MAX = 1_000;

  private final int status;

  private ApiRefused(int status, ExitCode exitCode, String message, List<String> lines) {
    super(exitCode, message, lines, null);
    this.status = status;
  }

  public int status() {
    return status;
  }

  public boolean isNotFound() {
    return status == 404;
  }

  /** Another program answers there. */
  static ApiRefused notBelay(ServerAddress connection, String how) {
    return new ApiRefused(
        0,
        ExitCode.UNREACHABLE,
        "The program at %s (from %s) is not a Belay server: %s. Check the address and the port."
            .formatted(connection.url(), connection.source(), how),
        List.of());
  }

  /** From an {@code application/problem+json} answer, or any other that is not a success. */
  static ApiRefused of(int status, JsonNode problem, ServerAddress connection) {
    String detail = sentence(Style.clean(detail(status, problem)));
    var lines = lines(problem.path("errors"));
    lines.removeIf(detail::contains);
    return switch (status) {
      case 401, 403 ->
          new ApiRefused(
              status,
              ExitCode.UNREACHABLE,
              "The server at %s refused the token %s. Name the right one with --token-file."
                  .formatted(
                      connection.url(),
                      connection.tokenFile() == null
                          ? "(none was found)"
                          : "in " + connection.tokenFile()),
              lines);
      case 400, 413, 415, 422 -> new ApiRefused(status, ExitCode.USAGE, detail, lines);
      case 421 ->
          new ApiRefused(
              status,
              ExitCode.UNREACHABLE,
              detail + " Use a name in --server that the server knows.",
              lines);
      default ->
          status >= 500
              ? new ApiRefused(
                  status,
                  ExitCode.UNREACHABLE,
                  "The server at %s failed (status %d): %s Its log has details."
                      .formatted(connection.url(), status, detail),
                  lines)
              : new ApiRefused(status, ExitCode.FAILED, detail, lines);
    };
  }

  private static String detail(int status, JsonNode problem) {
    String detail = Json.text(problem, "detail");
    if (detail.isEmpty()) {
      detail = Json.text(problem, "title");
    }
    return detail.isEmpty() ? "The server answered with status " + status : detail;
  }

  private static String sentence(String text) {
    return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
  }

  private static List<String> lines(JsonNode errors) {
    var lines = new ArrayList<String>();
    for (var error : errors) {
      if (lines.size() == ERRORS_SHOWN_MAX) {
        lines.add("... and " + (errors.size() - ERRORS_SHOWN_MAX) + " more");
        break;
      }
      String where =
          error.has("line")
              ? "%s:%d:%d"
                  .formatted(
                      Json.text(error, "file"),
                      error.path("line").asInt(),
                      error.path("column").asInt())
              : Json.text(error, "field");
      lines.add(Style.clean(where + ": " + Json.text(error, "message")));
    }
    return lines;
  }
}
