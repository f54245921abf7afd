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
public final class ListLettersCommand extends ClientCommand {

  private static final int LIMIT_MAX = 10_000;

  @Mixin LetterFilter filter = new LetterFilter();

  @Option(
      names = "--fingerprint",
      paramLabel = "HASH",
      description = "Only those of this group, as `belay dlq groups` shows it.")
  @Nullable String fingerprint;

  @Option(names = "--open", description = "Only those that nobody has retried.")
  boolean open;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most N, the newest first (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Continue where an earlier list ended: its `next`.")
  @Nullable String cursor;

  ListLettersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new CommandFailed(ExitCode.USAGE, "--limit must be between 1 and " + LIMIT_MAX + ".");
    }
    try (var client = connect()) {
      var query =
          filter
              .on(new Query("/dead-letters"), surroundings.clock())
              .with("fingerprint", fingerprint)
              .with("open", open ? "true" : null);
      var list = client.list(query, cursor, limit);
      if (json()) {
        print(list);
        return ExitCode.OK;
      }
      var table = new Table("ID", "AT", "REASON", "NAME", "WORKFLOW", "RETRIED", "DETAIL");
      list.path("items").forEach(item -> add(table, item));
      if (table.isEmpty()) {
        note("No dead letters match.");
        return ExitCode.OK;
      }
      printAll(table.lines(style));
      if (!list.path("next").isNull()) {
        note("There are more; continue with --cursor %s.".formatted(Json.text(list, "next")));
      }
      return ExitCode.OK;
    }
  }

  private void add(Table table, JsonNode letter) {
    var at = Json.time(letter, "created_at");
    String workflow = Style.clean(Json.text(letter, "workflow"));
    table.add(
        Cell.of(Json.text(letter, "id")),
        new Cell(at == null ? "-" : times.ago(at), style::dim),
        Cell.of(Style.clean(Json.text(letter, "reason"))),
        Cell.of(Style.clean(Json.text(letter, "name"))),
        Cell.of(workflow.isEmpty() ? "-" : workflow),
        Cell.of(Json.text(letter, "retried_as").isEmpty() ? "no" : "yes"),
        Cell.of(Style.clean(Json.text(letter, "detail"))));
  }
}
