package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Surroundings;
import dev.belay.cli.terminal.Table;
import picocli.CommandLine.Command;

/** The settings of a server. */
@Command(
    name = "config",
    description = "Show the times and limits that are in force; `belay server --set` sets them.",
    footer = {"  belay config", "  belay server --set agent-silent=2m --set lease=90s ..."})
public final class ConfigCommand extends ClientCommand {

  public ConfigCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var config = client.fetch(new Query("/config"));
      if (json()) {
        print(config);
        return ExitCode.OK;
      }
      var table = new Table("NAME", "VALUE", "DEFAULT", "MEANING");
      for (var row : config.path("items")) {
        table.add(
            cell(row, "name"), cell(row, "value"), cell(row, "default"), cell(row, "meaning"));
      }
      printAll(table.lines(style));
      return ExitCode.OK;
    }
  }

  private static Table.Cell cell(JsonNode row, String column) {
    return Table.Cell.of(Json.text(row, column));
  }
}
