package dev.belay.cli.backfill;

import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about backfills. */
@Command(
    name = "backfill",
    description = "Run a workflow for the instants of a range in the past.",
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belay backfill start etl --from 2026-01-01 --to 2026-03-01 --dry-run",
      "  belay backfill start etl --from 2026-01-01 --to 2026-03-01 --wait",
      "  belay backfill list"
    },
    usageHelpAutoWidth = true)
public final class BackfillCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private BackfillCommand() {}

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new BackfillCommand())
        .addSubcommand(new StartBackfillCommand(surroundings))
        .addSubcommand(new ListBackfillsCommand(surroundings))
        .addSubcommand(new ShowBackfillCommand(surroundings))
        .addSubcommand(new SteerBackfillCommand.Pause(surroundings))
        .addSubcommand(new SteerBackfillCommand.Resume(surroundings))
        .addSubcommand(new SteerBackfillCommand.Cancel(surroundings));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing: start, list, show, pause, resume or cancel.");
  }
}
