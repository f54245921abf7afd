package dev.belay.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists bulk operations. */
@Command(
    name = "list",
    description = "List bulk operations, the newest first.",
    footer = {"  belay bulk list", "  belay bulk list --limit 10"})
public final class ListBulksCommand extends ClientCommand {

  private static final int LIMIT_MAX = 10_000;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most N, the newest first (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Continue where an earlier list ended: its `next`.")
  @Nullable String cursor;

  ListBulksCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new CommandFailed(ExitCode.USAGE, "--limit must be between 1 and " + LIMIT_MAX + ".");
    }
    try (var client = connect()) {
      var list = client.list(new Query("/bulk").with("tenant", tenant), cursor, limit);
      if (json()) {
        print(list);
        return ExitCode.OK;
      }
      var table = new Table("ID", "KIND", "STATE", "MATCHED", "CHANGED", "REFUSED", "BY", "REASON");
      list.path("items").forEach(item -> add(table, item));
      if (table.isEmpty()) {
        note("There are no bulk operations. `belay bulk retry` starts one.");
        return ExitCode.OK;
      }
      printAll(table.lines(style));
      if (!list.path("next").isNull()) {
        note("There are more; continue with --cursor %s.".formatted(Json.text(list, "next")));
      }
      return ExitCode.OK;
    }
  }

  private void add(Table table, JsonNode item) {
    String state = Json.text(item, "state");
    String reason = Style.clean(Json.text(item, "reason"));
    table.add(
        Cell.of(Json.text(item, "id")),
        Cell.of(Json.text(item, "kind")),
        new Cell(state, text -> style.state(state, text)),
        Cell.of(Json.text(item, "matched") + " of " + BulkText.matches(item.path("preview"))),
        Cell.of(Json.text(item, "changed")),
        Cell.of(Json.text(item, "refused")),
        Cell.of(Style.clean(Json.text(item, "created_by"))),
        Cell.of(reason.isEmpty() ? "-" : reason));
  }
}
