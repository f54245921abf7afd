package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.cli.terminal.Times;
import dev.belay.workflow.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares the measured times of triggers and runs with the promises. */
@Command(
    name = "lateness",
    description = {
      "Show how late triggers fired and which runs took too long: promised and measured.",
      "Times of triggers count from when an instant is due. WORST of a promise is how far the worst"
          + " run went beyond its limit."
    },
    footer = {"  belay lateness", "  belay lateness --window 1h -o json"})
public final class LatenessCommand extends ClientCommand {

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      description = "How far to look back: 1h, 7d (the default), at most 90d.")
  @Nullable String window;

  public LatenessCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (window != null && Durations.parse(window).isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "--window must be a duration like 1h or 7d, not \"%s\".".formatted(window));
    }
    try (var client = connect()) {
      var summary = client.fetch(new Query("/lateness").with("window", window));
      if (json()) {
        print(summary);
        return ExitCode.OK;
      }
      printAll(triggers(summary).lines(style));
      print("");
      printAll(promises(summary).lines(style));
      long late = summary.path("late").asLong();
      if (late > 0) {
        print("");
        print(
            style.red(
                "%d of %d instants fired later than promised (%s) in the last %s."
                    .formatted(
                        late,
                        summary.path("count").asLong(),
                        promised(summary),
                        Json.text(summary, "window"))));
      }
      return ExitCode.OK;
    }
  }

  private Table triggers(JsonNode summary) {
    var table =
        new Table("WORKFLOW", "TRIGGER", "PROMISED", "COUNT", "P50", "P99", "WORST", "LATE");
    addTrigger(table, summary, Cell.of("all"), Cell.of(""), promised(summary));
    summary
        .path("triggers")
        .forEach(
            one ->
                addTrigger(
                    table, one, text(one, "workflow"), text(one, "trigger"), promised(summary)));
    return table;
  }

  private void addTrigger(
      Table table, JsonNode from, Cell workflow, Cell trigger, String promised) {
    table.add(
        workflow,
        trigger,
        Cell.of(promised),
        text(from, "count"),
        time(from, "p50_ms"),
        time(from, "p99_ms"),
        time(from, "worst_ms"),
        red(from, "late"));
  }

  private Table promises(JsonNode summary) {
    var table = new Table("PROMISE", "KEPT", "BROKEN", "WORST", "WORKFLOW", "RUN");
    summary
        .path("promises")
        .forEach(
            one ->
                table.add(
                    Cell.of("run." + Json.text(one, "promise")),
                    text(one, "kept"),
                    red(one, "broken"),
                    time(one, "worst_ms"),
                    text(one, "workflow"),
                    text(one, "run")));
    return table;
  }

  private Cell red(JsonNode from, String field) {
    boolean any = from.path(field).asLong() > 0;
    return new Cell(Json.text(from, field), text -> any ? style.red(text) : text);
  }

  private static Cell text(JsonNode from, String field) {
    String text = Json.text(from, field);
    return Cell.of(text.isEmpty() ? "-" : text);
  }

  private static String promised(JsonNode summary) {
    return Durations.format(Duration.ofMillis(summary.path("promised_ms").asLong()));
  }

  private static Cell time(JsonNode from, String field) {
    JsonNode millis = from.path(field);
    return Cell.of(millis.isNumber() ? Times.exact(Duration.ofMillis(millis.asLong())) : "-");
  }
}
