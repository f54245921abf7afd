package dev.belay.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the stored workflows equal to files. */
@Command(
    name = "apply",
    description = {
      "Make the server's workflows equal to these files, in one transaction: all of them, or none.",
      "Shows what was created or changed, with the difference. Applying again changes nothing."
    },
    footer = {
      "  belay apply flows/",
      "  belay apply flows/ --dry-run",
      "  belay apply flows/ --prune --yes"
    })
public final class ApplyCommand extends ClientCommand {

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files, or folders with *.yaml and *.yml files at any depth.")
  List<Path> paths;

  @Option(
      names = "--prune",
      description = {
        "Delete workflows that are not in these files, in the tenants of these files.",
        "Asks first; they keep their runs and their history."
      })
  boolean prune;

  @Option(names = "--prune-pause", description = "Like --prune, but pause them instead.")
  boolean prunePause;

  @Option(names = "--dry-run", description = "Only show what would change.")
  boolean dryRun;

  @Option(names = "--yes", description = "Prune without asking.")
  boolean yes;

  public ApplyCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (prune && prunePause) {
      throw new CommandFailed(ExitCode.USAGE, "Give --prune or --prune-pause, not both.");
    }
    var files = SetFiles.read(paths);
    try (var client = connect()) {
      var request = new SetRequest(client, files, prune ? "delete" : prunePause ? "pause" : "keep");
      if (dryRun) {
        return show(request.plan(), "Plan: %s. Nothing was changed.");
      }
      if ((prune || prunePause) && !yes) {
        return confirmed(request);
      }
      return show(request.apply(), "Applied: %s.");
    }
  }

  private ExitCode confirmed(SetRequest request) throws CommandFailed {
    var plan = request.plan();
    var text = new PlanText(plan, style);
    int deleted = text.count("delete");
    int paused = text.count("pause");
    if (deleted + paused == 0) {
      return show(request.apply(plan), "Applied: %s.");
    }
    var question =
        deleted > 0 ? "Delete %s?".formatted(count(deleted)) : "Pause %s?".formatted(count(paused));
    text.lines().forEach(line -> note(line));
    var answer = ask(question);
    if (answer.isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "This would %s, and nobody can be asked here; nothing was changed. Add --yes."
              .formatted(deleted > 0 ? "delete " + count(deleted) : "pause " + count(paused)));
    }
    if (!answer.get()) {
      throw new CommandFailed(ExitCode.FAILED, "Nothing was changed.");
    }
    var done = request.apply(plan);
    if (json()) {
      print(done);
    } else {
      tell(new PlanText(done, style), "Applied: %s.");
    }
    return ExitCode.OK;
  }

  private static String count(int workflows) {
    return workflows == 1 ? "1 workflow" : workflows + " workflows";
  }

  private ExitCode show(JsonNode plan, String summary) {
    if (json()) {
      print(plan);
      return ExitCode.OK;
    }
    var text = new PlanText(plan, style);
    printAll(text.lines());
    tell(text, summary);
    return ExitCode.OK;
  }

  private void tell(PlanText text, String summary) {
    text.warnings().forEach(this::note);
    print(
        text.changes()
            ? summary.formatted(text.counts())
            : "Nothing to change: %s.".formatted(text.counts()));
  }
}
