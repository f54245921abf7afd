package dev.belay.cli.command;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.Problem;
import dev.belay.workflow.WorkflowFile;
import java.nio.file.Path;
import java.util.List;

/**
 * A workflow file that was checked locally, before any request to a server.
 *
 * @param text the file's content, unchanged
 */
public record LocalWorkflow(Path file, String text, WorkflowSpec spec) {

  /** A bad file fails with all its problems, each as {@code FILE:LINE:COLUMN: message}. */
  public static LocalWorkflow read(Path file) throws CommandFailed {
    String text = TextFile.read(file);
    return switch (WorkflowFile.parse(file.toString(), text)) {
      case Parsed.Valid valid -> new LocalWorkflow(file, text, valid.spec());
      case Parsed.Invalid invalid -> throw invalid(file, invalid.problems());
    };
  }

  /** All problems of a bad file. */
  public static CommandFailed invalid(Path file, List<Problem> problems) {
    return new CommandFailed(
        ExitCode.USAGE,
        "%s is not a valid workflow (%s). Correct it and try again."
            .formatted(file, count(problems.size())),
        problems.stream().map(Problem::toString).toList(),
        null);
  }

  private static String count(int problems) {
    return problems == 1 ? "1 problem" : problems + " problems";
  }
}
