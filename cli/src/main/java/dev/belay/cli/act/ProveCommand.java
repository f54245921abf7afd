package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The proofs are scripts of a clone, which its launcher runs. */
@Command(
    name = "prove",
    description = "Run the proofs of a capability; works in a clone, as ./belay prove NAME.",
    footer = {"  ./belay prove --list", "  ./belay prove recovery/agent-killed"})
public final class ProveCommand extends BelayCommand {

  @Unmatched List<String> arguments = new ArrayList<>();

  public ProveCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "The proofs are scripts in the proof folder of a clone. Run `./belay prove %s` there."
            .formatted(arguments.isEmpty() ? "--list" : String.join(" ", arguments)));
  }
}
