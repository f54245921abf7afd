package dev.belay.cli.schedule;

import dev.belay.cli.act.TriggerPauseCommand;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows when a workflow starts by itself; other commands about that are below it. */
@Command(
    name = "schedule",
    description = {
      "Show the triggers of a workflow: what became of their past instants, and the next ones.",
      "Times are in the zone of the trigger, with the offset to UTC."
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay schedule etl",
      "  belay schedule etl --trigger nightly --past 100 --next 0",
      "  belay schedule pause etl --trigger nightly",
      "  belay schedule preview \"0 2 * * *\" --zone Europe/Berlin",
      "  belay schedules"
    })
public final class ScheduleCommand extends ClientCommand {

  private static final int INSTANTS_MAX = 200;

  @Parameters(paramLabel = "WORKFLOW", arity = "0..1", description = "The workflow.")
  @Nullable String name;

  @Option(names = "--trigger", paramLabel = "NAME", description = "Only this trigger.")
  @Nullable String trigger;

  @Option(
      names = "--past",
      paramLabel = "N",
      description = "How many past instants, 0 to 200 (default: ${DEFAULT-VALUE}).")
  int past = 20;

  @Option(
      names = "--next",
      paramLabel = "N",
      description = "How many next instants, 0 to 200 (default: ${DEFAULT-VALUE}).")
  int next = 20;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  @Spec CommandSpec spec;

  private ScheduleCommand(CommandContext surroundings) {
    super(surroundings);
  }

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new ScheduleCommand(surroundings))
        .addSubcommand(new PreviewCommand(surroundings))
        .addSubcommand(new TriggerPauseCommand.Pause(surroundings))
        .addSubcommand(new TriggerPauseCommand.Resume(surroundings));
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (name == null) {
      throw new ParameterException(
          spec.commandLine(),
          "Name a workflow, or a command: preview, pause or resume. `belay schedules` lists all"
              + " triggers.");
    }
    check("--past", past);
    check("--next", next);
    try (var client = connect()) {
      var schedule =
          client.fetch(
              new Query("/workflows/" + Query.part(name) + "/schedule")
                  .with("trigger", trigger)
                  .with("past", past)
                  .with("next", next)
                  .with("tenant", tenant));
      if (json()) {
        print(schedule);
        return ExitCode.OK;
      }
      var lines = new ScheduleDetails(schedule, style, times).lines();
      if (schedule.path("triggers").isEmpty()) {
        note("The workflow %s has no triggers; only people start it.".formatted(name));
      }
      printAll(lines);
      return ExitCode.OK;
    }
  }

  private static void check(String option, int count) throws CommandFailed {
    if (count < 0 || count > INSTANTS_MAX) {
      throw new CommandFailed(
          ExitCode.USAGE, option + " must be between 0 and " + INSTANTS_MAX + ".");
    }
  }
}
