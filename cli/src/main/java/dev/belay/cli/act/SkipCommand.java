package dev.belay.cli.act;

import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;

/** Skips a task. */
@Command(
    name = "skip",
    description = {
      "End a task that does not run as SKIPPED; the tasks after it go on.",
      "A task that runs must be cancelled or marked instead."
    },
    footer = {"  belay skip 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --note \"not needed today\""})
public final class SkipCommand extends TaskSteerCommand {

  public SkipCommand(CommandContext surroundings) {
    super(surroundings, "skip");
  }
}
