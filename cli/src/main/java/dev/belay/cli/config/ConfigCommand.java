package dev.belay.cli.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Table;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ReferencePage;
import dev.belay.settings.Schema;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the settings in force and the source of each. */
@Command(
    name = "config",
    description = {
      "Show every setting: its value, where the value comes from, and the default.",
      "Without --process it asks the running server. With it, it shows the settings that a process",
      "started now would use, and every problem in the file, the environment and the flags."
    },
    footer = {
      "  belay config",
      "  belay config --process server --config belay.yaml --set agent-silent=2m",
      "  belay config reference > docs/settings.md"
    })
public final class ConfigCommand extends ClientCommand {

  @Option(
      names = "--process",
      paramLabel = "KIND",
      description = "server, agent or lite: resolve the settings of such a process.")
  @Nullable ProcessKind process;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "With --process: read settings from this file, as the process does.")
  @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "With --process: set one; repeatable.")
  List<String> assignments = new ArrayList<>();

  private ConfigCommand(CommandContext surroundings) {
    super(surroundings);
  }

  public static CommandLine of(CommandContext surroundings) {
    return new CommandLine(new ConfigCommand(surroundings))
        .addSubcommand(new ReferenceCommand(surroundings))
        .addSubcommand(new SchemaCommand(surroundings));
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (process == null && (file != null || !assignments.isEmpty())) {
      throw new CommandFailed(
          ExitCode.USAGE, "--config and --set need --process: a running server has its settings.");
    }
    JsonNode config = process == null ? ofServer() : here(process);
    if (json()) {
      print(config);
      return ExitCode.OK;
    }
    var table = new Table("NAME", "VALUE", "FROM", "DEFAULT");
    for (var row : config.path("items")) {
      table.add(
          cell(row, "name"),
          cell(row, "value"),
          Table.Cell.whole(Json.text(row, "source")),
          cell(row, "default"));
    }
    printAll(table.lines(style));
    return ExitCode.OK;
  }

  private JsonNode ofServer() throws CommandFailed {
    try (var client = connect()) {
      return client.fetch(new Query("/config"));
    }
  }

  private JsonNode here(ProcessKind kind) throws CommandFailed {
    Settings settings =
        new GivenSettings(kind, file, assignments, Map.of()).preview(surroundings, this::note);
    ObjectNode config = Json.object().put("process", kind.word());
    var items = config.putArray("items");
    for (Setting<?> setting : settings.all()) {
      items
          .addObject()
          .put("name", setting.name())
          .put("value", settings.shown(setting))
          .put("source", settings.source(setting).text())
          .put("default", settings.shownDefault(setting))
          .put("type", setting.type().word())
          .put("bounds", setting.bounds())
          .put("meaning", setting.meaning());
    }
    return config;
  }

  private static Table.Cell cell(JsonNode row, String column) {
    return Table.Cell.of(Json.text(row, column));
  }

  /** The reference for people. */
  @Command(
      name = "reference",
      description = "Print the reference of all settings, in Markdown.",
      footer = "  belay config reference > docs/settings.md")
  static final class ReferenceCommand extends BelayCommand {
    ReferenceCommand(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    protected ExitCode execute() {
      surroundings.out().print(ReferencePage.markdown());
      return ExitCode.OK;
    }
  }

  /** The schema for editors. */
  @Command(
      name = "schema",
      description = "Print the JSON Schema of belay.yaml, for editors.",
      footer = "  belay config schema > docs/belay.schema.json")
  static final class SchemaCommand extends BelayCommand {
    SchemaCommand(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    protected ExitCode execute() {
      surroundings.out().print(Schema.json());
      return ExitCode.OK;
    }
  }
}
