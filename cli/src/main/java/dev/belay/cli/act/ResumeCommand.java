package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends the pause of a workflow. */
@Command(
    name = "resume",
    description = "Let runs of a paused workflow start again, the oldest first.",
    footer = {"  belay resume etl", "  belay workflows"})
public final class ResumeCommand extends ClientCommand {

  @Parameters(paramLabel = "WORKFLOW", description = "The name of the workflow.")
  String name;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Of this tenant.")
  @Nullable String tenant;

  public ResumeCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var answer =
          client.post(
              new Query("/workflows/" + Query.part(name) + "/resume").with("tenant", tenant),
              Json.object());
      if (json()) {
        print(answer);
      } else {
        print(
            "The workflow %s is not paused. Waiting runs start, the oldest first.".formatted(name));
        note(style.dim("See them: belay runs --workflow " + name));
      }
      return ExitCode.OK;
    }
  }
}
