package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.command.Warnings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Registers a workflow file. */
@Command(
    name = "register",
    description = "Register a workflow file; a changed one becomes a new version.",
    footer = {"  belay register examples/hello.yaml", "  belay trigger hello"})
public final class RegisterCommand extends ClientCommand {

  @Parameters(paramLabel = "FILE", description = "A workflow file, YAML or JSON.")
  Path file;

  public RegisterCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    String text = TextFile.read(file);
    try (var client = connect()) {
      var workflow = client.register(file, text);
      if (json()) {
        print(workflow);
      } else {
        String name = Json.text(workflow, "name");
        print("%s version %s".formatted(name, Json.text(workflow, "version")));
        Warnings.of(workflow).forEach(this::note);
        note(style.dim("Run it: belay trigger " + name));
        if (workflow.path("trigger_count").asInt() > 0) {
          note(style.dim("Its triggers are active: belay schedule " + name));
        }
      }
      return ExitCode.OK;
    }
  }
}
