package dev.belay.cli.act;

import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;

/** Parks a task. */
@Command(
    name = "block",
    description = {
      "Park a task until somebody unblocks it.",
      "The process of a task that runs is asked to end first."
    },
    footer = {"  belay block 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --note \"the API is down\""})
public final class BlockCommand extends TaskSteerCommand {

  public BlockCommand(CommandContext surroundings) {
    super(surroundings, "block");
  }
}
