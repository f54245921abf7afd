package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists workers. */
@Command(
    name = "workers",
    description = "List workers, with their tasks and the time of their last sign of life.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  belay workers",
      "  belay workers --wide",
      "  belay workers -o json",
      "  belay workers revoke build-7",
      "",
      "REPLACED: another worker with its name has joined; the server forgets this one soon.",
      "REVOKED: kept out; `belay workers allow ID` lets it join again.",
      "(set aside): tasks failed fast there, so it gets none; `belay workers trust NAME` ends that."
    })
public final class WorkersCommand extends ListCommand {

  private static final double GIB = 1L << 30;
  private static final double MILLIS = 1_000;

  @Option(
      names = "--wide",
      description = "Also show labels, capabilities, free slots, load, memory and processors.")
  boolean wide;

  public WorkersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/workers");
  }

  @Override
  protected Table table() {
    return wide
        ? new Table(
            "NAME", "STATE", "ACTIVE", "FREE", "CPU", "GPU", "MEMORY", "CPUS", "POOLS", "CAN",
            "LABELS", "ID")
        : new Table("NAME", "STATE", "ACTIVE", "POOLS", "LAST SEEN", "VERSION", "PLATFORM", "ID");
  }

  @Override
  protected void add(Table table, JsonNode worker) {
    if (wide) {
      addWide(table, worker);
      return;
    }
    table.add(
        text(worker, "name"),
        stateAndTrouble(worker),
        Cell.of(active(worker) + "/" + worker.path("slots").asText()),
        list(worker, "pools"),
        ago(worker, "last_seen_at"),
        text(worker, "version"),
        text(worker, "platform"),
        text(worker, "id"));
  }

  private void addWide(Table table, JsonNode worker) {
    table.add(
        text(worker, "name"),
        stateAndTrouble(worker),
        Cell.of(active(worker) + "/" + worker.path("slots").asText()),
        text(worker, "free_slots"),
        number(worker, "cpu_percent", 1, "%.0f%%"),
        number(worker, "gpu_percent", 1, "%.0f%%"),
        number(worker, "memory_bytes", GIB, "%.1f GiB"),
        number(worker, "cpu_millis", MILLIS, "%.1f"),
        list(worker, "pools"),
        list(worker, "capabilities"),
        labels(worker),
        text(worker, "id"));
  }

  private static Cell list(JsonNode worker, String field) {
    var all = new ArrayList<String>();
    worker.path(field).forEach(one -> all.add(one.asText()));
    return Cell.of(all.isEmpty() ? "-" : String.join(",", all));
  }

  private static Cell labels(JsonNode worker) {
    var all = new ArrayList<String>();
    worker
        .path("labels")
        .properties()
        .forEach(label -> all.add(label.getKey() + "=" + label.getValue().asText()));
    return Cell.of(all.isEmpty() ? "-" : String.join(",", all));
  }

  private static Cell number(JsonNode worker, String field, double unit, String format) {
    var value = worker.path(field);
    return Cell.of(
        value.isNumber() ? String.format(Locale.ROOT, format, value.asDouble() / unit) : "-");
  }

  /** A short form; the API and `belay alerts` have the rest. */
  private Cell stateAndTrouble(JsonNode worker) {
    String trouble = Style.clean(Json.text(worker, "trouble"));
    String state = Json.text(worker, "state");
    String why = worker.path("set_aside_at").isTextual() ? "set aside" : trouble.split(":", 2)[0];
    if (why.isEmpty() || !state.equals("CONNECTED")) {
      return state(worker);
    }
    return Cell.of("%s (%s)".formatted(state, why));
  }

  private static int active(JsonNode worker) {
    var active = worker.path("active");
    return active.isArray() ? active.size() : active.asInt();
  }

  @Override
  protected String nothing() {
    return "No workers yet. `belay agent --server URL --join-token-file FILE` starts one.";
  }
}
