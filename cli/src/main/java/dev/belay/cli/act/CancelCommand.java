package dev.belay.cli.act;

import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Cancels a task or a run. */
@Command(
    name = "cancel",
    description = "Cancel a task, or a run with all its open tasks.",
    footer = {"  belay cancel 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11"})
public final class CancelCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of a task or a run.")
  String id;

  public CancelCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(id);
    try (var client = connect()) {
      if (found(() -> cancel(client, "task")) || found(() -> cancel(client, "run"))) {
        return ExitCode.OK;
      }
      throw noRunOrTask(id, client);
    }
  }

  private void cancel(BelayClient client, String kind) throws CommandFailed {
    var answer = client.post(new Query("/%ss/%s/cancel".formatted(kind, id)), Json.object());
    if (json()) {
      print(answer);
    } else {
      print("The %s %s will be cancelled.".formatted(kind, id));
      note(style.dim("See it: belay show " + id));
    }
  }
}
