package dev.belay.cli.read;

import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.TaskLog;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Printable;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the output of a task. */
@Command(
    name = "logs",
    description = "Print what a task wrote to stdout and stderr.",
    footer = {
      "  belay logs 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11",
      "  belay logs -f 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11",
      "  belay logs --attempt 1 --tail 4096 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11"
    })
public final class LogsCommand extends ClientCommand {

  @Parameters(paramLabel = "TASK", description = "The id of a task.")
  String task;

  @Option(
      names = {"-f", "--follow"},
      description = "Follow the log until the task is over, through its retries.")
  boolean follow;

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "The attempt (default: the last; with -f: from the running one on).")
  @Nullable Integer attempt;

  @Option(names = "--tail", paramLabel = "BYTES", description = "Only this many bytes of its end.")
  @Nullable Long tail;

  @Option(
      names = "--raw",
      description =
          "Print the output unchanged on a terminal, too, with colours and control characters"
              + " (default: make those characters visible).")
  boolean raw;

  public LogsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(task);
    if (follow && tail != null) {
      throw new CommandFailed(ExitCode.USAGE, "Use either -f or --tail, not both.");
    }
    try (var client = connect()) {
      if (!follow) {
        client.copy(
            new Query("/tasks/" + task + "/logs").with("attempt", attempt).with("tail", tail),
            out());
        surroundings.out().flush();
        return ExitCode.OK;
      }
      int first =
          attempt != null
              ? attempt
              : Math.max(1, client.fetch(new Query("/tasks/" + task)).path("attempts").asInt());
      new TaskLog(client, task, out(), surroundings.ticker())
          .follow(first, number -> noteRetry(number, first));
      return ExitCode.OK;
    }
  }

  private OutputStream out() {
    return raw ? surroundings.out() : Printable.logs(surroundings);
  }

  private void noteRetry(int number, int first) {
    if (number > first) {
      note(style.dim("--- attempt " + number));
    }
  }
}
