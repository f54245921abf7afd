package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tries the failed tasks of a run again. */
@Command(
    name = "retry",
    description = {
      "Try what did not succeed in a run again; what succeeded is kept.",
      "The run must have ended FAILED or CANCELLED. It waits for its turn (max_active, pause)."
    },
    footer = {"  belay retry 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11", "  belay runs --state FAILED"})
public final class RetryCommand extends ClientCommand {

  @Parameters(paramLabel = "RUN", description = "The id of the run.")
  String run;

  public RetryCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(run);
    try (var client = connect()) {
      var answer = client.post(new Query("/runs/%s/retry".formatted(run)), Json.object());
      if (json()) {
        print(answer);
      } else {
        int tasks = answer.path("tasks").asInt();
        print(
            "The run %s is tried again, with %d %s."
                .formatted(run, tasks, tasks == 1 ? "task" : "tasks"));
        note(style.dim("See it: belay show " + run));
      }
      return ExitCode.OK;
    }
  }
}
