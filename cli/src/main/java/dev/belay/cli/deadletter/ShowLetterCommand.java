package dev.belay.cli.deadletter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows a dead letter with the whole request. */
@Command(
    name = "show",
    description = "Show a dead letter: why the task was given up, its whole request, its retries.",
    footer = {"  belay dlq show 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
public final class ShowLetterCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the dead letter.")
  String id;

  ShowLetterCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    String checked = id(id);
    try (var client = connect()) {
      var letter = client.fetch(new Query("/dead-letters/" + checked));
      if (json()) {
        print(letter);
      } else {
        tell(letter);
      }
      return ExitCode.OK;
    }
  }

  private void tell(JsonNode letter) {
    print(style.bold("Dead letter of " + text(letter, "name")) + " " + text(letter, "id"));
    print("  %s: %s".formatted(text(letter, "reason"), text(letter, "detail")));
    var at = Json.time(letter, "created_at");
    print(
        "  given up %s after %s attempts; task %s%s"
            .formatted(
                at == null ? "" : times.dateTime(at),
                text(letter, "attempts"),
                text(letter, "task"),
                text(letter, "run").isEmpty()
                    ? ""
                    : ", run %s of %s".formatted(text(letter, "run"), text(letter, "workflow"))));
    if (!text(letter, "retry_of").isEmpty()) {
      print(
          "  retry %s of the dead letter %s"
              .formatted(text(letter, "retries"), text(letter, "retry_of")));
    }
    String as = text(letter, "retried_as");
    if (!as.isEmpty()) {
      var when = Json.time(letter, "retried_at");
      print(
          "  retried as task %s by %s%s"
              .formatted(
                  as,
                  text(letter, "retried_by"),
                  when == null ? "" : " at " + times.dateTime(when)));
    }
    print("Request:");
    print(letter.path("request"));
    note(style.dim("History: belay task %s".formatted(text(letter, "task"))));
    if (as.isEmpty()) {
      note(style.dim("Retry it: belay dlq retry %s".formatted(text(letter, "id"))));
    }
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
