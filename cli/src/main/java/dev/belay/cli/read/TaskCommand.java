package dev.belay.cli.read;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;

/** Shows the history of one task. */
@Command(
    name = "task",
    description = "Show the history of a task: its attempts, each state with its time and reason.",
    footer = {
      "  belay task 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11",
      "  belay task 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 -o json"
    })
public final class TaskCommand extends ShowCommand {

  public TaskCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(id);
    try (var client = connect()) {
      if (found(() -> showTask(client))) {
        return ExitCode.OK;
      }
      throw new CommandFailed(
          ExitCode.FAILED,
          "No task has the id %s. `belay tasks` lists tasks; `belay show %s` also looks for a run."
              .formatted(id, id));
    }
  }
}
