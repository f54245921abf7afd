package dev.belay.cli.bulk;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Cancels a bulk operation. */
@Command(
    name = "stop",
    description = {
      "End a bulk operation: once this command returns, it changes nothing any more.",
      "What it changed before stays changed."
    },
    footer = {"  belay bulk stop 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
public final class StopBulkCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the bulk operation.")
  String id;

  StopBulkCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var bulk = client.post(new Query("/bulk/" + id(id) + "/cancel"), Json.object());
      if (json()) {
        print(bulk);
      } else {
        print("The bulk operation %s changes nothing any more.".formatted(id));
        note(style.dim(BulkText.progress(bulk)));
      }
      return ExitCode.OK;
    }
  }
}
