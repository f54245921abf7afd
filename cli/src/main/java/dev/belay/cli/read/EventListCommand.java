package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists events. */
@Command(
    name = "list",
    description = "List events, the newest first.",
    footer = {"  belay events list", "  belay events list --name file-arrived --limit 10 -o json"})
public final class EventListCommand extends ListCommand {

  @Option(names = "--name", paramLabel = "NAME", description = "Only events of this name.")
  @Nullable String name;

  @Option(names = "--key", paramLabel = "KEY", description = "Only events with this key.")
  @Nullable String key;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only events of this tenant.")
  @Nullable String tenant;

  public EventListCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/events").with("name", name).with("key", key).with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("ID", "NAME", "KEY", "RECEIVED", "BY");
  }

  @Override
  protected void add(Table table, JsonNode event) {
    table.add(
        text(event, "id"),
        text(event, "name"),
        text(event, "key"),
        ago(event, "received_at"),
        text(event, "received_by"));
  }

  @Override
  protected String nothing() {
    return "No events match. `belay events send NAME` sends one.";
  }
}
