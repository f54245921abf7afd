package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a run of a registered workflow. */
@Command(
    name = "trigger",
    description = "Start a run of a registered workflow and print its id.",
    footer = {
      "  belay trigger hello",
      "  belay trigger etl --param day=2026-01-01 --param full=true",
      "  belay trigger etl --logical-date 2026-01-31T00:00:00Z --idempotency-key etl-jan"
    })
public final class TriggerCommand extends ClientCommand {

  @Parameters(paramLabel = "NAME", description = "The workflow.")
  String name;

  @Option(
      names = "--param",
      paramLabel = "K=V",
      description = "A parameter of the run, parsed as the type that the workflow declares.")
  Map<String, String> params = Map.of();

  @Option(names = "--version", paramLabel = "N", description = "The version (default: the latest).")
  @Nullable Integer version;

  @Option(
      names = "--logical-date",
      paramLabel = "TIME",
      description =
          "The date that the run stands for, such as 2026-01-31T00:00:00Z (default: now). The"
              + " workflow reads it as run.logical_date.")
  @Nullable String logicalDate;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Triggering again with this key and these parameters returns the first run.")
  @Nullable String idempotencyKey;

  public TriggerCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var body = Json.object();
    var values = body.putObject("params");
    params.forEach(values::put);
    if (version != null) {
      body.put("version", version);
    }
    if (logicalDate != null) {
      body.put("logical_date", logicalDate);
    }
    String key = idempotencyKey != null ? idempotencyKey : surroundings.ids().next().toString();
    try (var client = connect()) {
      var run =
          client.postOnce(
              new Query("/workflows/" + Query.part(name) + "/runs").with("tenant", tenant),
              body,
              key);
      if (json()) {
        print(run);
      } else {
        String id = Json.text(run, "id");
        print(id);
        note(style.dim("See it: belay show " + id));
      }
      return ExitCode.OK;
    }
  }
}
