package dev.belay.cli.read;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import picocli.CommandLine.Command;

/** Shows which server the other commands use. */
@Command(
    name = "info",
    description = "Show which server the other commands use, and its details.",
    footer = {"  belay info", "  belay info --server http://127.0.0.1:8080"})
public final class InfoCommand extends ClientCommand {

  public InfoCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var info = client.fetch(new Query("/info"));
      if (json()) {
        print(info);
        return ExitCode.OK;
      }
      print(
          "server   %s (from %s)"
              .formatted(client.connection().url(), client.connection().source()));
      info.properties()
          .forEach(
              fact ->
                  print(
                      "%-8s %s"
                          .formatted(fact.getKey(), Style.clean(Json.text(info, fact.getKey())))));
      return ExitCode.OK;
    }
  }
}
