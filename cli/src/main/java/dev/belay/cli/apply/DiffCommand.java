package dev.belay.cli.apply;

import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares files with the stored workflows. */
@Command(
    name = "diff",
    description = {
      "Show what `belay apply` of these files would change, and change nothing.",
      "Exit 0 when nothing would change, 1 when something would."
    },
    footer = {"  belay diff flows/", "  belay diff flows/ --prune"})
public final class DiffCommand extends ClientCommand {

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files, or folders with *.yaml and *.yml files at any depth.")
  List<Path> paths;

  @Option(names = "--prune", description = "Also show workflows that are not in these files.")
  boolean prune;

  public DiffCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var files = SetFiles.read(paths);
    try (var client = connect()) {
      var plan = new SetRequest(client, files, prune ? "delete" : "keep").plan();
      var text = new PlanText(plan, style);
      if (json()) {
        print(plan);
      } else {
        printAll(text.lines());
        text.warnings().forEach(this::note);
        note(
            text.changes()
                ? "`belay apply` would do this: %s.".formatted(text.counts())
                : "Nothing to change: %s.".formatted(text.counts()));
      }
      return text.changes() ? ExitCode.FAILED : ExitCode.OK;
    }
  }
}
