package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The proofs are scripts of a clone, which the launcher runs itself. */
@Command(
    name = "prove",
    description = "Run the proof scripts of a part; works in a clone, as ./belay prove NN.",
    footer = {"  ./belay prove 01"})
public final class ProveCommand extends BelayCommand {

  @Parameters(paramLabel = "NN", arity = "0..*", description = "The number of the part.")
  List<String> parts = List.of();

  public ProveCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "The proofs are scripts in the proof folder of a clone. Run `./belay prove %s` there."
            .formatted(parts.isEmpty() ? "NN" : String.join(" ", parts)));
  }
}
