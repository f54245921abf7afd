package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends an event. */
@Command(
    name = "send",
    description = {
      "Send an event and print its id.",
      "Each trigger `event: NAME` of a workflow decides what it starts: `belay events show ID`.",
      "In a task, it also says which run sent it, so that a loop of events ends."
    },
    footer = {
      "  belay events send file-arrived --data '{\"path\": \"/in/a.csv\", \"size\": 12}'",
      "  belay events send file-arrived --data @event.json --key a.csv-2026-01-31",
      "  echo '{\"size\": 12}' | belay events send file-arrived --data -"
    })
public final class SendEventCommand extends ClientCommand {

  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  @Parameters(paramLabel = "NAME", description = "The name of the event.")
  String name;

  @Option(
      names = "--data",
      paramLabel = "JSON",
      description = "An object; @FILE reads it from a file, - from standard input.")
  @Nullable String data;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "An event with the same name and key is stored once (default: a random key).")
  @Nullable String key;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The tenant of the event.")
  @Nullable String tenant;

  public SendEventCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var body = Json.object().put("name", name);
    body.put("key", key == null ? surroundings.ids().next().toString() : key);
    if (data != null) {
      body.set("data", data(data));
    }
    if (tenant != null) {
      body.put("tenant", tenant);
    }
    String run = surroundings.variable("BELAY_RUN_ID");
    if (run != null && !run.isEmpty()) {
      body.put("run_id", run);
    }
    try (var client = connect()) {
      var event = client.postOnce(new Query("/events"), body, surroundings.ids().next().toString());
      if (json()) {
        print(event);
      } else {
        print(Json.text(event, "id"));
        note(
            style.dim(
                event.path("new").asBoolean()
                    ? "See what it starts: belay events show " + Json.text(event, "id")
                    : "An event with this key was there already; nothing was stored."));
      }
      return ExitCode.OK;
    }
  }

  private static JsonNode data(String given) throws CommandFailed {
    String text =
        switch (given) {
          case "-" -> TextFile.read(STANDARD_INPUT);
          case String file when file.startsWith("@") -> TextFile.read(Path.of(file.substring(1)));
          default -> given;
        };
    try {
      var parsed = Json.parse(text.getBytes(StandardCharsets.UTF_8));
      if (parsed != null && parsed.isObject()) {
        return parsed;
      }
    } catch (IOException e) {
      throw notAnObject(e);
    }
    throw notAnObject(null);
  }

  private static CommandFailed notAnObject(@Nullable IOException cause) {
    String message = "--data must be a JSON object such as '{\"size\": 12}'.";
    return cause == null
        ? new CommandFailed(ExitCode.USAGE, message)
        : new CommandFailed(ExitCode.USAGE, message, cause);
  }
}
