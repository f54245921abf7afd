package dev.belay.cli.cluster;

import dev.belay.cli.terminal.CommandContext;
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
      "Run a cluster on this machine: PostgreSQL, several servers and workers.",
      "Each is a separate process. For trying, proving and measuring; see docs/cluster.md."
    },
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belay cluster up --replicas 3 --agents 2 --dir /tmp/c",
      "  BELAY_HOME=/tmp/c belay submit --wait -- /bin/echo hi",
      "  belay cluster down --dir /tmp/c"
    },
    usageHelpAutoWidth = true)
public final class ClusterCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private ClusterCommand() {}

  public static CommandLine of(CommandContext surroundings) {
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
