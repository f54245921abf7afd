package dev.belay.cli.read;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one workflow as it was written. */
@Command(
    name = "workflow",
    description = "Show a registered workflow as it was written.",
    footer = {"  belay workflow etl", "  belay workflow etl --version 3"})
public final class WorkflowCommand extends ClientCommand {

  @Parameters(paramLabel = "NAME", description = "The workflow.")
  String name;

  @Option(names = "--version", paramLabel = "N", description = "The version (default: the latest).")
  @Nullable Integer version;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  public WorkflowCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var workflow =
          client.fetch(
              new Query("/workflows/" + Query.part(name))
                  .with("version", version)
                  .with("tenant", tenant));
      if (json()) {
        print(workflow);
        return ExitCode.OK;
      }
      var at = Json.time(workflow, "created_at");
      note(
          style.dim(
              "# %s, version %s, registered %s"
                  .formatted(
                      Json.text(workflow, "name"),
                      Json.text(workflow, "version"),
                      at == null ? "" : times.dateTime(at))));
      var paused = Json.time(workflow, "paused_at");
      if (paused != null) {
        note(
            style.dim(
                "# paused since %s by %s; `belay resume %s` lets its runs start"
                    .formatted(
                        times.dateTime(paused),
                        Style.clean(Json.text(workflow, "paused_by")),
                        Style.clean(name))));
      }
      var deleted = Json.time(workflow, "deleted_at");
      if (deleted != null) {
        note(
            style.dim(
                "# deleted %s by %s; `belay apply` or `belay register` brings it back"
                    .formatted(
                        times.dateTime(deleted), Style.clean(Json.text(workflow, "deleted_by")))));
      }
      if (!workflow.at("/spec/triggers").isEmpty()) {
        note(style.dim("# `belay schedule %s` shows when it runs".formatted(Style.clean(name))));
      }
      Json.text(workflow, "source").lines().map(Style::clean).forEach(this::print);
      return ExitCode.OK;
    }
  }
}
