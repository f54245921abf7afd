package dev.belay.cli.read;

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
import dev.belay.cli.terminal.Times;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Shows which server the other commands use. */
@Command(
    name = "info",
    description = {
      "Show which server the other commands use, and its details: versions, leader, replicas,",
      "and which replica runs which periodic job."
    },
    footer = {
      "  belay info",
      "  belay info --server http://127.0.0.1:8080",
      "  belay info -o json",
      "",
      "HOLDER: the replica that runs the periodic job now. OUTCOME: how its last run ended."
    })
public final class InfoCommand extends ClientCommand {

  public InfoCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var info = client.fetch(new Query("/info"));
      if (json()) {
        print(info);
        return ExitCode.OK;
      }
      print(
          "server   %s (from %s)"
              .formatted(client.connection().url(), client.connection().source()));
      info.properties().stream()
          .filter(fact -> !fact.getValue().isArray())
          .forEach(
              fact ->
                  print(
                      "%-8s %s"
                          .formatted(fact.getKey(), Style.clean(Json.text(info, fact.getKey())))));
      printReplicas(info.path("replicas"));
      printLeases(info.path("leases"));
      return ExitCode.OK;
    }
  }

  private void printReplicas(JsonNode replicas) {
    var table = new Table("REPLICA", "LAST SEEN");
    replicas.forEach(replica -> table.add(text(replica, "name"), ago(replica, "seen_at")));
    printTable(table);
  }

  private void printLeases(JsonNode leases) {
    var table =
        new Table("JOB", "HOLDER", "SINCE", "EXPIRES", "LAST FINISHED", "OUTCOME", "NEXT DUE");
    leases.forEach(
        lease -> {
          boolean held = !Json.text(lease, "holder").isEmpty();
          table.add(
              text(lease, "name"),
              text(lease, "holder"),
              held ? ago(lease, "acquired_at") : Cell.of("-"),
              ahead(lease, "expires_at"),
              ago(lease, "finished_at"),
              text(lease, "outcome"),
              ahead(lease, "next_due_at"));
        });
    printTable(table);
  }

  /** Servers of earlier versions do not list them. */
  private void printTable(Table table) {
    if (!table.isEmpty()) {
      print("");
      printAll(table.lines(style));
    }
  }

  private static Cell text(JsonNode item, String field) {
    String text = Json.text(item, field);
    return Cell.of(text.isEmpty() ? "-" : text);
  }

  private Cell ago(JsonNode item, String field) {
    var at = Json.time(item, field);
    return new Cell(at == null ? "-" : times.ago(at), style::dim);
  }

  private Cell ahead(JsonNode item, String field) {
    var at = Json.time(item, field);
    if (at == null) {
      return Cell.of("-");
    }
    Duration left = Duration.between(times.now(), at);
    return Cell.of(left.isNegative() ? "now" : "in " + Times.coarse(left));
  }
}
