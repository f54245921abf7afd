package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The benchmarks, with the peers' jars, are no part of the product: the launcher of a clone runs
 * them.
 */
@Command(
    name = "bench",
    description = "Measure Belay beside its peers; works in a clone, as ./belay bench SCENARIO.",
    footer = {"  ./belay bench throughput --peers --limit"})
public final class BenchCommand extends BelayCommand {

  @Parameters(
      paramLabel = "ARG",
      arity = "0..*",
      description = "A scenario and its options: see ./belay bench --help.")
  List<String> arguments = List.of();

  public BenchCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "The benchmarks are a module of a clone. Run `./belay bench %s` there."
            .formatted(arguments.isEmpty() ? "SCENARIO" : String.join(" ", arguments)));
  }
}
