package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds the runs of a workflow back. */
@Command(
    name = "pause",
    description = "Let no further run of a workflow start; runs that go on are not touched.",
    footer = {"  belay pause etl", "  belay workflows"})
public final class PauseCommand extends ClientCommand {

  @Parameters(paramLabel = "WORKFLOW", description = "The name of the workflow.")
  String name;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Of this tenant.")
  @Nullable String tenant;

  public PauseCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var answer =
          client.post(
              new Query("/workflows/" + Query.part(name) + "/pause").with("tenant", tenant),
              Json.object());
      if (json()) {
        print(answer);
      } else {
        var at = Json.time(answer, "paused_at");
        print(
            "The workflow %s is paused%s. Runs that go on are not touched; others wait."
                .formatted(name, at == null ? "" : pausedSince(answer, at)));
        note(style.dim("Go on: belay resume " + name));
      }
      return ExitCode.OK;
    }
  }

  private String pausedSince(JsonNode answer, Instant at) {
    return " since %s by %s".formatted(times.dateTime(at), Json.text(answer, "paused_by"));
  }
}
