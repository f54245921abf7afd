package dev.belay.cli.deadletter;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Retries a dead letter. */
@Command(
    name = "retry",
    description = {
      "Submit the request of a dead letter again, and print the id of the task.",
      "A task of a run runs again in its run. A dead letter can be retried once."
    },
    footer = {"  belay dlq retry 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
public final class RetryLetterCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the dead letter.")
  String id;

  RetryLetterCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var query = new Query("/dead-letters/" + id(id) + "/retry");
    try (var client = connect()) {
      var answer = client.post(query, Json.object());
      if (json()) {
        print(answer);
        return ExitCode.OK;
      }
      String task = Json.text(answer, "task");
      print(task);
      note(
          style.dim(
              Json.text(answer, "run").isEmpty()
                  ? "It is a new task. See it: belay task " + task
                  : "It runs again in its run. See it: belay task " + task));
      return ExitCode.OK;
    }
  }
}
