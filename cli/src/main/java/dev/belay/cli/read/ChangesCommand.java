package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ReconnectLimit;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the change feed. */
@Command(
    name = "changes",
    description = "Print the changes of tasks and runs, the oldest first.",
    footer = {
      "  belay changes",
      "  belay changes --after latest -f",
      "  belay changes --after 1734-2 -o json     # one object in a line"
    })
public final class ChangesCommand extends ClientCommand {

  private static final Duration WAIT = Duration.ofSeconds(30);

  /** A transaction that runs just now may hold back changes that this command should show. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = {
        "Continue after this change; `latest` is the end",
        "(default: from the oldest one that the server keeps)."
      })
  @Nullable String after;

  @Option(
      names = {"-f", "--follow"},
      description = "Wait for more until you interrupt it.")
  boolean follow;

  public ChangesCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var reconnect = new ReconnectLimit(surroundings.ticker(), this::note);
      var next = after;
      while (true) {
        var answer = read(client, next, reconnect);
        if (answer == null) {
          continue;
        }
        answer.path("items").forEach(this::show);
        next = Json.text(answer, "next");
        if (answer.path("reset").asBoolean()) {
          note(
              "The feed does not have the changes after that cursor: they were deleted, or the"
                  + " cursor is of another database. Continuing after "
                  + next
                  + ".");
        } else if (!follow && answer.path("items").isEmpty()) {
          note("That is all for now. Continue with --after " + next + ".");
          return ExitCode.OK;
        }
      }
    }
  }

  /** Null when the server does not answer for now. */
  private @Nullable JsonNode read(
      BelayClient client, @Nullable String next, ReconnectLimit reconnect) throws CommandFailed {
    var query = new Query("/changes").with("after", next);
    if (!follow) {
      return client.await(query, MOMENT);
    }
    try {
      var answer = client.await(query, WAIT);
      reconnect.reached();
      return answer;
    } catch (Unreachable failure) {
      reconnect.bear(failure);
      return null;
    }
  }

  private void show(JsonNode change) {
    if (json()) {
      print(change.toString());
      return;
    }
    String kind = Json.text(change, "kind");
    String state = Json.text(change, "state");
    print(
        "%s  %-4s  %s  %s  %s"
            .formatted(
                style.dim(Json.text(change, "at")),
                kind,
                Json.text(change, kind),
                style.state(state, state),
                Style.clean(Json.text(change, "workflow")))
            .stripTrailing());
  }
}
