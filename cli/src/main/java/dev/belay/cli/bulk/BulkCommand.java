package dev.belay.cli.bulk;

import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about bulk operations. */
@Command(
    name = "bulk",
    description = "Cancel, retry or prioritize all tasks or runs that match a filter.",
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belay bulk retry --state FAILED --workflow etl --since 24h --dry-run",
      "  belay bulk retry --state FAILED --workflow etl --since 24h --rate 50/s --wait",
      "  belay bulk cancel --runs --workflow etl --yes",
      "  belay bulk list"
    },
    usageHelpAutoWidth = true)
public final class BulkCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private BulkCommand() {}

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new BulkCommand())
        .addSubcommand(new StartBulkCommand.Cancel(surroundings))
        .addSubcommand(new StartBulkCommand.Retry(surroundings))
        .addSubcommand(new StartBulkCommand.Priority(surroundings))
        .addSubcommand(new ListBulksCommand(surroundings))
        .addSubcommand(new ShowBulkCommand(surroundings))
        .addSubcommand(new StopBulkCommand(surroundings));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing: cancel, retry, priority, list, show or stop.");
  }
}
