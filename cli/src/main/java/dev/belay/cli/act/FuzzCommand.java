package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The fuzzer is no part of the product: the launcher of a clone runs it. */
@Command(
    name = "fuzz",
    description =
        "Throw seeded requests at a server of its own; works in a clone, as ./belay fuzz --seed N.",
    footer = {"  ./belay fuzz --requests 2000 --seed 1"})
public final class FuzzCommand extends BelayCommand {

  @Unmatched List<String> arguments = new ArrayList<>();

  public FuzzCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "The fuzzer is a module of a clone. Run `./belay fuzz %s` there."
            .formatted(
                arguments.isEmpty() ? "--requests 2000 --seed 1" : String.join(" ", arguments)));
  }
}
