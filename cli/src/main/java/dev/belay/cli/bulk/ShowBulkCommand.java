package dev.belay.cli.bulk;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.ProgressWatch;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the progress of a bulk operation. */
@Command(
    name = "show",
    description = "Show a bulk operation: its filter, its progress and what it refused.",
    footer = {
      "  belay bulk show 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11",
      "  belay bulk show 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11 --wait"
    })
public final class ShowBulkCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the bulk operation.")
  String id;

  @Option(names = "--wait", description = "Wait until it ends; exit status 1 unless it is DONE.")
  boolean wait;

  ShowBulkCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    String checked = id(id);
    try (var client = connect()) {
      var bulk =
          wait
              ? new ProgressWatch(client, surroundings, this::note)
                  .until("/bulk/" + checked, BulkText::progress)
              : client.fetch(new Query("/bulk/" + checked));
      if (json()) {
        print(bulk);
      } else {
        printAll(BulkText.lines(bulk, style, times));
      }
      return wait && !Json.text(bulk, "state").equals("DONE") ? ExitCode.FAILED : ExitCode.OK;
    }
  }
}
