package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.cli.terminal.Times;
import dev.belay.domain.run.RunState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists runs of workflows. */
@Command(
    name = "runs",
    description = "List runs of workflows, the newest first.",
    footer = {"  belay runs", "  belay runs --workflow etl --state FAILED --limit 10"})
public final class RunsCommand extends ListCommand {

  @Option(names = "--workflow", paramLabel = "NAME", description = "Only runs of this workflow.")
  @Nullable String workflow;

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "Only these: ${COMPLETION-CANDIDATES}.")
  @Nullable List<RunState> states;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only runs of this tenant.")
  @Nullable String tenant;

  public RunsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/runs")
        .with("workflow", workflow)
        .with("state", states == null ? null : states.stream().map(Enum::name).toList())
        .with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("ID", "WORKFLOW", "VERSION", "STATE", "CREATED", "BY", "TOOK", "REASON");
  }

  @Override
  protected void add(Table table, JsonNode run) {
    table.add(
        text(run, "id"),
        text(run, "workflow"),
        text(run, "version"),
        state(run),
        ago(run, "created_at"),
        Cell.of(RunCause.brief(run)),
        Cell.of(took(run)),
        text(run, "reason"));
  }

  private String took(JsonNode run) {
    var from = Json.time(run, "created_at");
    var to = Json.time(run, "ended_at");
    return from == null || to == null ? "-" : Times.exact(Duration.between(from, to));
  }

  @Override
  protected String nothing() {
    return "No runs match. `belay run FILE` starts one.";
  }
}
