package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.schedule.FireText;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the triggers of all workflows. */
@Command(
    name = "schedules",
    description = "List the triggers of workflows, with their next and last instants.",
    footer = {"  belay schedules", "  belay schedules --workflow etl", "  belay schedule etl"})
public final class SchedulesCommand extends ListCommand {

  @Option(names = "--workflow", paramLabel = "NAME", description = "Only those of this workflow.")
  @Nullable String workflow;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

  public SchedulesCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/schedules").with("workflow", workflow).with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("WORKFLOW", "TRIGGER", "WHEN", "NEXT", "LAST", "LATE");
  }

  @Override
  protected void add(Table table, JsonNode trigger) {
    JsonNode last = trigger.path("last");
    table.add(
        text(trigger, "workflow"),
        text(trigger, "trigger"),
        Cell.of(FireText.when(trigger)),
        Cell.of(next(trigger)),
        Cell.of(last(last)),
        Cell.of(last.isObject() ? FireText.late(last) : "-"));
  }

  private String next(JsonNode trigger) {
    var at = Json.time(trigger, "next_at");
    if (at == null) {
      return FireText.pause(trigger).isEmpty() ? "-" : "paused";
    }
    String reason = Json.text(trigger, "next_reason");
    String zone = Json.text(trigger, "timezone");
    return FireText.local(at, zone) + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  private String last(JsonNode last) {
    var at = Json.time(last, "at");
    return at == null ? "-" : Json.text(last, "outcome") + " " + times.ago(at);
  }

  @Override
  protected String nothing() {
    return "No workflow has triggers. `triggers:` in a workflow file adds them: docs/schedules.md.";
  }
}
