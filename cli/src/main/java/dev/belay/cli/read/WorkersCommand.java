package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.ArrayList;
import picocli.CommandLine.Command;

/** Lists workers. */
@Command(
    name = "workers",
    description = "List workers, with their tasks and the time of their last sign of life.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay workers",
      "  belay workers -o json",
      "  belay workers revoke build-7",
      "",
      "REPLACED: another worker with its name has joined; the server forgets this one soon.",
      "REVOKED: kept out; `belay workers allow ID` lets it join again."
    })
public final class WorkersCommand extends ListCommand {

  public WorkersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() {
    return new Query("/workers");
  }

  @Override
  Table table() {
    return new Table("NAME", "STATE", "ACTIVE", "POOLS", "LAST SEEN", "VERSION", "PLATFORM", "ID");
  }

  @Override
  void add(Table table, JsonNode worker) {
    var pools = new ArrayList<String>();
    worker.path("pools").forEach(pool -> pools.add(pool.asText()));
    table.add(
        text(worker, "name"),
        stateAndTrouble(worker),
        Cell.of(active(worker) + "/" + worker.path("slots").asText()),
        Cell.of(String.join(",", pools)),
        ago(worker, "last_seen_at"),
        text(worker, "version"),
        text(worker, "platform"),
        text(worker, "id"));
  }

  /** A short form; the API and `belay alerts` have the rest. */
  private Cell stateAndTrouble(JsonNode worker) {
    String trouble = Style.clean(Json.text(worker, "trouble"));
    String state = Json.text(worker, "state");
    if (trouble.isEmpty() || !state.equals("CONNECTED")) {
      return state(worker);
    }
    return Cell.of("%s (%s)".formatted(state, trouble.split(":", 2)[0]));
  }

  private static int active(JsonNode worker) {
    var active = worker.path("active");
    return active.isArray() ? active.size() : active.asInt();
  }

  @Override
  String nothing() {
    return "No workers yet. `belay agent --server URL --join-token-file FILE` starts one.";
  }
}
