package dev.belay.cli.deadletter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists dead letters. */
@Command(
    name = "list",
    description = "List dead letters, the newest first.",
    footer = {
      "  belay dlq list",
      "  belay dlq list --reason no_workers --since 2h",
      "  belay dlq list --fingerprint 3f9a0b1c2d4e5f60 --open"
    })
public final class ListLettersCommand extends ListCommand {

  @Mixin LetterFilter filter = new LetterFilter();

  @Option(
      names = "--fingerprint",
      paramLabel = "HASH",
      description = "Only those of this group, as `belay dlq groups` shows it.")
  @Nullable String fingerprint;

  @Option(names = "--open", description = "Only those that nobody has retried.")
  boolean open;

  ListLettersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() throws CommandFailed {
    return filter
        .on(new Query("/dead-letters"), surroundings.clock())
        .with("fingerprint", fingerprint)
        .with("open", open ? "true" : null);
  }

  @Override
  protected Table table() {
    return new Table("ID", "AT", "REASON", "NAME", "WORKFLOW", "RETRIED", "DETAIL");
  }

  @Override
  protected String nothing() {
    return "No dead letters match.";
  }

  @Override
  protected void add(Table table, JsonNode letter) {
    String workflow = Style.clean(Json.text(letter, "workflow"));
    table.add(
        Cell.of(Json.text(letter, "id")),
        ago(letter, "created_at"),
        Cell.of(Style.clean(Json.text(letter, "reason"))),
        Cell.of(Style.clean(Json.text(letter, "name"))),
        Cell.of(workflow.isEmpty() ? "-" : workflow),
        Cell.of(Json.text(letter, "retried_as").isEmpty() ? "no" : "yes"),
        Cell.of(Style.clean(Json.text(letter, "detail"))));
  }
}
