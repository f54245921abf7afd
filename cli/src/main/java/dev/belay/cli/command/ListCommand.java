package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Shows the newest items of a list as a table. */
public abstract class ListCommand extends ClientCommand {

  private static final int LIMIT_MAX = 10_000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most N, the newest first (default: ${DEFAULT-VALUE}).")
  protected int limit = 50;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Continue where an earlier list ended: its `next`.")
  protected @Nullable String cursor;

  protected ListCommand(CommandContext surroundings) {
    super(surroundings);
  }

  protected abstract Query query() throws CommandFailed;

  protected abstract Table table();

  protected abstract void add(Table table, JsonNode item);

  /** The text for an empty list. */
  protected abstract String nothing();

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new CommandFailed(ExitCode.USAGE, "--limit must be between 1 and " + LIMIT_MAX + ".");
    }
    try (var client = connect()) {
      var list = client.list(query(), cursor, limit);
      if (json()) {
        print(list);
        return ExitCode.OK;
      }
      var table = table();
      list.path("items").forEach(item -> add(table, item));
      if (table.isEmpty()) {
        note(nothing());
        return ExitCode.OK;
      }
      printAll(table.lines(style));
      if (!list.path("next").isNull()) {
        note(
            "There are more; use --limit, or continue with --cursor %s."
                .formatted(Json.text(list, "next")));
      }
      return ExitCode.OK;
    }
  }

  protected final Cell text(JsonNode item, String field) {
    String text = Json.text(item, field);
    return Cell.of(text.isEmpty() ? "-" : text);
  }

  protected final Cell state(JsonNode item) {
    String state = Json.text(item, "state");
    return new Cell(state, text -> style.state(state, text));
  }

  protected final Cell ago(JsonNode item, String field) {
    var at = Json.time(item, field);
    return new Cell(at == null ? "-" : times.ago(at), style::dim);
  }
}
