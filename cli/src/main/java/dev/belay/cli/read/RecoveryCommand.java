package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
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

/** Compares the measured times of recoveries with the promises. */
@Command(
    name = "recovery",
    description = {
      "Show how soon stalls were detected: promised and measured times, by kind.",
      "Times count from the last sign of life. RUNNING AGAIN is the median and the worst time until"
          + " a recovered task ran again."
    },
    footer = {
      "  belay recovery",
      "  belay recovery --window 1h -o json",
      "  belay recovery --events --limit 20"
    })
public final class RecoveryCommand extends ListCommand {

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      description = "How far to look back: 1h, 7d (the default), at most 90d.")
  @Nullable String window;

  @Option(names = "--events", description = "List single recoveries instead, the newest first.")
  boolean events;

  public RecoveryCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (window != null && (events || Durations.parse(window).isEmpty())) {
      throw new CommandFailed(
          ExitCode.USAGE,
          events
              ? "--window belongs to the summary, not to --events; use --limit."
              : "--window must be a duration like 1h or 7d, not \"%s\".".formatted(window));
    }
    if (cursor != null && !events) {
      throw new CommandFailed(ExitCode.USAGE, "--cursor belongs to --events.");
    }
    return events ? super.execute() : summary();
  }

  private ExitCode summary() throws CommandFailed {
    try (var client = connect()) {
      var summary = client.fetch(new Query("/recovery").with("window", window));
      if (json()) {
        print(summary);
        return ExitCode.OK;
      }
      var table =
          new Table("KIND", "PROMISED", "COUNT", "P50", "P99", "WORST", "RUNNING AGAIN", "LATE");
      summary.path("kinds").forEach(kind -> addKind(table, kind));
      printAll(table.lines(style));
      long late = summary.path("late").asLong();
      if (late > 0) {
        print("");
        print(
            style.red(
                "%d of %d took longer than promised in the last %s. `belay alerts` lists them."
                    .formatted(
                        late, summary.path("count").asLong(), Json.text(summary, "window"))));
      }
      return ExitCode.OK;
    }
  }

  private void addKind(Table table, JsonNode kind) {
    JsonNode detected = kind.path("detected");
    JsonNode again = kind.path("running_again");
    boolean late = kind.path("late").asLong() > 0;
    table.add(
        text(kind, "kind"),
        Cell.of(Durations.format(Duration.ofMillis(kind.path("promised_ms").asLong()))),
        text(kind, "count"),
        time(detected, "p50_ms"),
        time(detected, "p99_ms"),
        time(detected, "worst_ms"),
        Cell.of(
            again.path("count").asLong() == 0
                ? "-"
                : time(again, "p50_ms").text() + " / " + time(again, "worst_ms").text()),
        new Cell(Json.text(kind, "late"), text -> late ? style.red(text) : text));
  }

  @Override
  protected Query query() {
    return new Query("/recovery/events");
  }

  @Override
  protected Table table() {
    return new Table(
        "FOUND", "KIND", "TASK OR RUN", "NAME", "WORKER", "PROMISED", "TOOK", "RUNNING AGAIN");
  }

  @Override
  protected void add(Table table, JsonNode event) {
    boolean late = event.path("late").asBoolean();
    Cell took = time(event, "detected_ms");
    table.add(
        ago(event, "detected_at"),
        text(event, "kind"),
        text(event, Json.text(event, "task").isEmpty() ? "run" : "task"),
        text(event, "task_name"),
        text(event, "worker_name"),
        Cell.of(Durations.format(Duration.ofMillis(event.path("promised_ms").asLong()))),
        late ? new Cell(took.text() + " late", style::red) : took,
        event.path("open").asBoolean() ? Cell.of("not yet") : time(event, "running_again_ms"));
  }

  private static Cell time(JsonNode from, String field) {
    JsonNode millis = from.path(field);
    return Cell.of(millis.isNumber() ? Times.exact(Duration.ofMillis(millis.asLong())) : "-");
  }

  @Override
  protected String nothing() {
    return "Nothing had to be recovered yet.";
  }
}
