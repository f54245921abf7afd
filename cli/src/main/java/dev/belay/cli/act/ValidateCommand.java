package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.LocalWorkflow;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks workflow files without a server. */
@Command(
    name = "validate",
    description = {
      "Check workflow files; needs no server. Problems are printed as FILE:LINE:COLUMN: message.",
      "Exit 0 when all are valid, 2 otherwise."
    },
    footer = {"  belay validate examples/*.yaml"})
public final class ValidateCommand extends BelayCommand {

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Workflow files, YAML or JSON.")
  List<Path> files;

  public ValidateCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() {
    var worst = ExitCode.OK;
    for (var file : files) {
      try {
        var workflow = LocalWorkflow.read(file);
        print(
            "%s: valid, workflow %s with %d task%s"
                .formatted(
                    file,
                    workflow.spec().name(),
                    workflow.spec().tasks().size(),
                    workflow.spec().tasks().size() == 1 ? "" : "s"));
      } catch (CommandFailed e) {
        e.lines().forEach(line -> note(Style.clean(line)));
        note(Style.clean(e.getMessage()));
        worst = e.exitCode();
      }
    }
    return worst;
  }
}
