package dev.belay.cli.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists backfills. */
@Command(
    name = "list",
    description = "List backfills, the newest first.",
    footer = {"  belay backfill list", "  belay backfill list --workflow etl --limit 10"})
public final class ListBackfillsCommand extends ListCommand {

  @Option(names = "--workflow", paramLabel = "NAME", description = "Only those of this workflow.")
  @Nullable String workflow;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

  ListBackfillsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/backfills").with("workflow", workflow).with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("ID", "WORKFLOW", "STATE", "FROM", "TO", "DECIDED", "OPEN", "REASON");
  }

  @Override
  protected String nothing() {
    return "No backfills match. `belay backfill start` starts one.";
  }

  @Override
  protected void add(Table table, JsonNode item) {
    int decided = item.path("fired").asInt() + item.path("skipped").asInt();
    String reason = Style.clean(Json.text(item, "reason"));
    table.add(
        Cell.of(Json.text(item, "id")),
        Cell.of(Style.clean(Json.text(item, "workflow"))),
        state(item),
        Cell.of(Json.text(item, "from")),
        Cell.of(Json.text(item, "to")),
        Cell.of(decided + " of " + Json.text(item, "total")),
        Cell.of(Json.text(item, "open")),
        Cell.of(reason.isEmpty() ? "-" : reason));
  }
}
