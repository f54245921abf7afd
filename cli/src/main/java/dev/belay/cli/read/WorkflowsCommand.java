package dev.belay.cli.read;

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

/** Lists registered workflows. */
@Command(
    name = "workflows",
    description = "List registered workflows with their latest versions.",
    footer = {"  belay workflows", "  belay workflow etl"})
public final class WorkflowsCommand extends ListCommand {

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only workflows of this tenant.")
  @Nullable String tenant;

  @Option(names = "--deleted", description = "Only deleted workflows; else all others.")
  boolean deleted;

  public WorkflowsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/workflows").with("tenant", tenant).with("deleted", deleted ? "true" : null);
  }

  @Override
  protected Table table() {
    return new Table(
        "NAME", "VERSION", "TASKS", "TRIGGERS", "MAX ACTIVE", "REGISTERED", "BY", "PAUSED");
  }

  @Override
  protected void add(Table table, JsonNode workflow) {
    table.add(
        text(workflow, "name"),
        text(workflow, "version"),
        text(workflow, "task_count"),
        text(workflow, "trigger_count"),
        text(workflow, "max_active"),
        ago(workflow, "created_at"),
        text(workflow, "created_by"),
        Cell.of(paused(workflow)));
  }

  private String paused(JsonNode workflow) {
    var at = Json.time(workflow, "paused_at");
    return at == null
        ? "-"
        : times.dateTime(at) + " by " + Style.clean(Json.text(workflow, "paused_by"));
  }

  @Override
  protected String nothing() {
    return deleted
        ? "No workflow is deleted."
        : "No workflows yet. `belay register FILE` registers one.";
  }
}
