package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.LocalWorkflow;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.workflow.BelayFile;
import dev.belay.workflow.tree.YamlReader;
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
        print(valid(file));
      } catch (CommandFailed e) {
        e.lines().forEach(line -> note(Style.clean(line)));
        note(Style.clean(e.getMessage()));
        worst = e.exitCode();
      }
    }
    return worst;
  }

  private static String valid(Path file) throws CommandFailed {
    var text = TextFile.read(file);
    return switch (BelayFile.parse(file.toString(), text, YamlReader.EXPANDED_NODES_MAX)) {
      case BelayFile.Invalid(var problems) -> throw LocalWorkflow.invalid(file, problems);
      case BelayFile.SystemFile system ->
          "%s: valid, system file with %s%s"
              .formatted(
                  file,
                  count(system.spec().pools().size(), "pool"),
                  also(system.spec().calendars().size(), "calendar"));
      case BelayFile.Workflow workflow ->
          "%s: valid, workflow %s with %s%s"
              .formatted(
                  file,
                  workflow.spec().name(),
                  count(workflow.spec().tasks().size(), "task"),
                  also(workflow.spec().triggers().size(), "trigger"));
    };
  }

  private static String also(int number, String what) {
    return number == 0 ? "" : " and " + count(number, what);
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
