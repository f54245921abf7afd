package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows an event and what it started. */
@Command(
    name = "show",
    description = "Show an event, and for each trigger that waited for it what became of it.",
    footer = {"  belay events show 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11"})
public final class EventShowCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the event.")
  String id;

  public EventShowCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var event = client.fetch(new Query("/events/" + id(id)));
      if (json()) {
        print(event);
      } else {
        show(event);
      }
      return ExitCode.OK;
    }
  }

  private void show(JsonNode event) {
    var at = Json.time(event, "received_at");
    print(style.bold("Event " + text(event, "name")) + " " + text(event, "id"));
    print(
        "  received %s by %s (%s)%s"
            .formatted(
                at == null ? "" : times.dateTime(at),
                text(event, "received_by"),
                text(event, "source"),
                text(event, "key").isEmpty() ? "" : ", key " + text(event, "key")));
    if (!text(event, "run_id").isEmpty()) {
      print("  sent by the run " + text(event, "run_id") + ", depth " + text(event, "depth"));
    }
    print("  data " + Style.clean(event.path("data").toString()));
    var table = new Table("WORKFLOW", "TRIGGER", "OUTCOME", "RUN", "REASON");
    event
        .path("triggers")
        .forEach(
            fire ->
                table.add(
                    Cell.of(text(fire, "workflow")),
                    Cell.of(text(fire, "trigger")),
                    Cell.of(text(fire, "outcome")),
                    Cell.of(text(fire, "run_id").isEmpty() ? "-" : text(fire, "run_id")),
                    Cell.whole(text(fire, "reason"))));
    if (table.isEmpty()) {
      note("No trigger waited for it.");
      return;
    }
    print("");
    printAll(table.lines(style));
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
