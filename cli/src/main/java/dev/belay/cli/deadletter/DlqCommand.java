package dev.belay.cli.deadletter;

import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about dead letters. */
@Command(
    name = "dlq",
    description = "Tasks that Belay gave up: look at their dead letters, and retry them.",
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belay dlq groups",
      "  belay dlq list --reason no_workers",
      "  belay dlq retry 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"
    },
    usageHelpAutoWidth = true)
public final class DlqCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private DlqCommand() {}

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new DlqCommand())
        .addSubcommand(new ListLettersCommand(surroundings))
        .addSubcommand(new GroupLettersCommand(surroundings))
        .addSubcommand(new ShowLetterCommand(surroundings))
        .addSubcommand(new RetryLetterCommand(surroundings))
        .addSubcommand(new PurgeLettersCommand(surroundings));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing: list, groups, show, retry or purge.");
  }
}
