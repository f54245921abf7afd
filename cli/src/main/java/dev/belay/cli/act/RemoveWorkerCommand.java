package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Forgets a worker that will not come back. */
@Command(
    name = "remove-worker",
    description = {
      "Forget a worker that will not come back.",
      "What it still held ends as worker_gone and is tried elsewhere at once. A worker that is"
          + " connected is not removed."
    },
    footer = {"  belay workers", "  belay remove-worker build-7"})
public final class RemoveWorkerCommand extends ClientCommand {

  @Parameters(
      paramLabel = "WORKER",
      description = "The id of the worker, or its name when only one has it.")
  String id;

  public RemoveWorkerCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var answer = client.post(new Query("/workers/" + Query.part(id) + "/remove"), Json.object());
      if (json()) {
        print(answer);
      } else {
        print("The worker %s is removed. What it held is tried elsewhere.".formatted(id));
      }
      return ExitCode.OK;
    }
  }
}
