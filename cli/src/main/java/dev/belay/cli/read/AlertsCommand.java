package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import picocli.CommandLine.Command;

/** Lists alerts. */
@Command(
    name = "alerts",
    description =
        "List alerts for a person to look at, the newest first. Alerts are kept for 30 days.",
    footer = {"  belay alerts", "  belay alerts --limit 10 -o json"})
public final class AlertsCommand extends ListCommand {

  public AlertsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/alerts");
  }

  @Override
  protected Table table() {
    return new Table("AT", "KIND", "DETAIL");
  }

  @Override
  protected void add(Table table, JsonNode alert) {
    table.add(ago(alert, "at"), text(alert, "kind"), Cell.whole(Json.text(alert, "detail")));
  }

  @Override
  protected String nothing() {
    return "No alerts.";
  }
}
