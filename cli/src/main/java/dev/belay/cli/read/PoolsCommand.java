package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.ArrayList;
import picocli.CommandLine.Command;

/** Lists pools. */
@Command(
    name = "pools",
    description = "List pools: those that are declared, and those that only workers name.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay pools",
      "  belay pools show gpu",
      "  belay pools set gpu --capability gpu --slots 40",
      "  belay pools set gpu --state draining",
      "  belay pools delete gpu",
      "",
      "DECLARED says who declared it: system_file, api, or - for a pool that only workers name."
    })
public final class PoolsCommand extends ListCommand {

  public PoolsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/pools");
  }

  @Override
  protected Table table() {
    return new Table(
        "NAME", "STATE", "WORKERS", "SLOTS", "STRATEGY", "CAPABILITIES", "DECLARED", "DESCRIPTION");
  }

  @Override
  protected void add(Table table, JsonNode pool) {
    String slots = Json.text(pool, "worker_slots");
    String limit = Json.text(pool, "slots");
    table.add(
        text(pool, "name"),
        text(pool, "state"),
        text(pool, "workers"),
        Cell.of(limit.isEmpty() ? slots : slots + " (at most " + limit + ")"),
        text(pool, "strategy"),
        joined(pool, "capabilities"),
        text(pool, "declared_in"),
        text(pool, "description"));
  }

  static Cell joined(JsonNode item, String field) {
    var texts = new ArrayList<String>();
    item.path(field).forEach(each -> texts.add(each.asText()));
    return Cell.of(texts.isEmpty() ? "-" : String.join(",", texts));
  }

  @Override
  protected String nothing() {
    return "No pools yet: none is declared, and no worker has joined.";
  }
}
