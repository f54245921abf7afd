package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import picocli.CommandLine.Command;

/** Lists tenants. */
@Command(
    name = "tenants",
    description = "List the declared tenants with their shares and limits.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay tenants",
      "  belay tenants show data",
      "  belay tenants set data --weight 2 --max-running 100",
      "  belay tenants delete data",
      "",
      "A tenant that is not declared has the weight 1 and no limits."
    })
public final class TenantsCommand extends ListCommand {

  public TenantsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/tenants");
  }

  @Override
  protected Table table() {
    return new Table(
        "NAME", "WEIGHT", "MAX RUNNING", "MAX WAITING", "SUBMIT RATE", "DECLARED", "DESCRIPTION");
  }

  @Override
  protected void add(Table table, JsonNode tenant) {
    var rate = tenant.path("submit_rate");
    table.add(
        text(tenant, "name"),
        text(tenant, "weight"),
        text(tenant, "max_running"),
        text(tenant, "max_waiting"),
        Cell.of(
            rate.isObject() ? rate.path("max").asText() + "/" + rate.path("per").asText() : "-"),
        text(tenant, "declared_in"),
        text(tenant, "description"));
  }

  @Override
  protected String nothing() {
    return "No tenants are declared: each has the weight 1 and no limits."
        + " `belay tenants set NAME --weight 2` declares one.";
  }
}
