package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The simulator is no part of the product: the launcher of a clone runs it. */
@Command(
    name = "simulate",
    description =
        "Run Belay through simulated failures; works in a clone, as ./belay simulate --seeds A..B.",
    footer = {"  ./belay simulate --seeds 1..500"})
public final class SimulateCommand extends BelayCommand {

  @Unmatched List<String> arguments = new ArrayList<>();

  public SimulateCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "The simulator is a module of a clone. Run `./belay simulate %s` there."
            .formatted(arguments.isEmpty() ? "--seeds 1..500" : String.join(" ", arguments)));
  }
}
