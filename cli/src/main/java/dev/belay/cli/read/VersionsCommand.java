package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the versions of a workflow. */
@Command(
    name = "versions",
    description = "List the versions of a workflow, the newest first.",
    footer = {
      "  belay versions etl",
      "  belay workflow etl --version 3",
      "  belay rollback-version etl 3"
    })
public final class VersionsCommand extends ListCommand {

  @Parameters(paramLabel = "NAME", description = "The workflow.")
  String name;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  public VersionsCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() {
    return new Query("/workflows/" + Query.part(name) + "/versions").with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("VERSION", "TASKS", "REGISTERED", "BY");
  }

  @Override
  protected void add(Table table, JsonNode version) {
    table.add(
        text(version, "version"),
        text(version, "task_count"),
        ago(version, "created_at"),
        text(version, "created_by"));
  }

  @Override
  protected String nothing() {
    return "There is no such version.";
  }
}
