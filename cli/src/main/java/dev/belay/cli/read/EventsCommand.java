package dev.belay.cli.read;

import dev.belay.cli.act.SendEventCommand;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about events. */
@Command(
    name = "events",
    description = "Send events, and show which runs they started.",
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belay events send file-arrived --data '{\"size\": 12}' --key a.csv",
      "  belay events list --name file-arrived"
    },
    usageHelpAutoWidth = true)
public final class EventsCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private EventsCommand() {}

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new EventsCommand())
        .addSubcommand(new SendEventCommand(surroundings))
        .addSubcommand(new EventListCommand(surroundings))
        .addSubcommand(new EventShowCommand(surroundings));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A command is missing: send, list or show.");
  }
}
