package dev.belay.cli.bulk;

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

/** Lists bulk operations. */
@Command(
    name = "list",
    description = "List bulk operations, the newest first.",
    footer = {"  belay bulk list", "  belay bulk list --limit 10"})
public final class ListBulksCommand extends ListCommand {

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

  ListBulksCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/bulk").with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("ID", "KIND", "STATE", "MATCHED", "CHANGED", "REFUSED", "BY", "REASON");
  }

  @Override
  protected String nothing() {
    return "There are no bulk operations. `belay bulk retry` starts one.";
  }

  @Override
  protected void add(Table table, JsonNode item) {
    String reason = Style.clean(Json.text(item, "reason"));
    table.add(
        Cell.of(Json.text(item, "id")),
        Cell.of(Json.text(item, "kind")),
        state(item),
        Cell.of(Json.text(item, "matched") + " of " + BulkText.matches(item.path("preview"))),
        Cell.of(Json.text(item, "changed")),
        Cell.of(Json.text(item, "refused")),
        Cell.of(Style.clean(Json.text(item, "created_by"))),
        Cell.of(reason.isEmpty() ? "-" : reason));
  }
}
