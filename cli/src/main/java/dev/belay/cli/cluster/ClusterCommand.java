package dev.belay.cli.cluster;

import dev.belay.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about a cluster on this machine. */
@Command(
    name = "cluster",
    description = {
      "A cluster on this machine: PostgreSQL, several servers and workers, each a process of its",
      "own. For trying, proving and measuring; docs/cluster.md tells how to run one on many",
      "machines."
    },
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    usageHelpAutoWidth = true)
public final class ClusterCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private ClusterCommand() {}

  public static CommandLine of(Surroundings surroundings) {
    return new CommandLine(new ClusterCommand())
        .addSubcommand(new UpCommand(surroundings))
        .addSubcommand(new StatusCommand(surroundings))
        .addSubcommand(new StartCommand(surroundings))
        .addSubcommand(new DownCommand(surroundings));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing: up, status, start or down.");
  }
}
