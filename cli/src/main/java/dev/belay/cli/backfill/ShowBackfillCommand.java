package dev.belay.cli.backfill;

import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.ProgressWatch;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the progress of a backfill. */
@Command(
    name = "show",
    description = "Show a backfill: its progress, its next instant and what it waits for.",
    footer = {
      "  belay backfill show 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11",
      "  belay backfill show 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11 --wait"
    })
public final class ShowBackfillCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the backfill.")
  String id;

  @Option(
      names = "--wait",
      description = "Wait until it ends; exit status 1 unless all its runs succeeded.")
  boolean wait;

  ShowBackfillCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    String checked = id(id);
    try (var client = connect()) {
      var backfill =
          wait
              ? new ProgressWatch(client, surroundings, this::note)
                  .until("/backfills/" + checked, BackfillText::progress)
              : client.fetch(new Query("/backfills/" + checked));
      if (json()) {
        print(backfill);
      } else {
        printAll(BackfillText.lines(backfill, style, times));
      }
      return wait && !BackfillText.succeeded(backfill) ? ExitCode.FAILED : ExitCode.OK;
    }
  }
}
