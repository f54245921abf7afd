package dev.belay.cli.deadletter;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups dead letters by their cause. */
@Command(
    name = "groups",
    description = {
      "Show dead letters by cause: those whose details differ only in numbers, ids and paths",
      "have one fingerprint."
    },
    footer = {"  belay dlq groups", "  belay dlq groups --reason dispatch_failed --since 1d"})
public final class GroupLettersCommand extends ClientCommand {

  @Mixin LetterFilter filter = new LetterFilter();

  GroupLettersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var groups = client.fetch(filter.on(new Query("/dead-letter-groups"), surroundings.clock()));
      if (json()) {
        print(groups);
        return ExitCode.OK;
      }
      var table = new Table("FINGERPRINT", "COUNT", "OPEN", "NEWEST", "REASON", "CAUSE");
      groups.path("items").forEach(group -> add(table, group));
      if (table.isEmpty()) {
        note("No dead letters match.");
        return ExitCode.OK;
      }
      printAll(table.lines(style));
      return ExitCode.OK;
    }
  }

  private void add(Table table, JsonNode group) {
    var newest = Json.time(group, "newest_at");
    table.add(
        Cell.of(Json.text(group, "fingerprint")),
        Cell.of(Json.text(group, "count")),
        Cell.of(Json.text(group, "open")),
        new Cell(newest == null ? "-" : times.ago(newest), style::dim),
        Cell.of(Style.clean(Json.text(group, "reason"))),
        Cell.of(Style.clean(Json.text(group, "cause"))));
  }
}
