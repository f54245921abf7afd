package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import picocli.CommandLine.Command;

/** Lists topics. */
@Command(
    name = "topics",
    description = "List topics with the pools that may run their tasks.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay topics",
      "  belay topics show etl.load",
      "  belay topics set etl.load --pool default --pool batch",
      "  belay topics delete etl.load"
    })
public final class TopicsCommand extends ListCommand {

  public TopicsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/topics");
  }

  @Override
  protected Table table() {
    return new Table("NAME", "POOLS", "DECLARED", "CHANGED", "DESCRIPTION");
  }

  @Override
  protected void add(Table table, JsonNode topic) {
    table.add(
        text(topic, "name"),
        PoolsCommand.joined(topic, "pools"),
        text(topic, "declared_in"),
        ago(topic, "changed_at"),
        text(topic, "description"));
  }

  @Override
  protected String nothing() {
    return "No topics yet. `belay topics set NAME --pool POOL` declares one.";
  }
}
