package dev.belay.cli.apply;

import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes stored workflows as files. */
@Command(
    name = "export",
    description = {
      "Write the stored workflows as they were written, with the system file.",
      "Applying the written folder changes nothing."
    },
    footer = {
      "  belay export --to flows/",
      "  belay export etl > etl.yaml",
      "  belay export etl load --to flows/"
    })
public final class ExportCommand extends ClientCommand {

  /** Workflows' names begin with a letter or digit, so none has this file. */
  private static final String SYSTEM = "_system";

  /** A server could send any name; this one can be a file of the folder, and nothing else. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,99}");

  private static final int WORKFLOWS_MAX = 100_000;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "The workflows; else all of the tenant, and the system file.")
  List<String> names = List.of();

  @Option(names = "--to", paramLabel = "FOLDER", description = "The folder; else to stdout.")
  @Nullable Path to;

  @Option(names = "--force", description = "Replace files of the folder that differ.")
  boolean force;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflows' tenant.")
  @Nullable String tenant;

  public ExportCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Map<String, String> sources = new LinkedHashMap<>();
    try (var client = connect()) {
      for (var name : names.isEmpty() ? all(client) : names) {
        sources.put(name, source(client, name));
      }
      var system = names.isEmpty() ? Json.text(client.fetch(new Query("/system")), "source") : "";
      if (!system.isEmpty()) {
        sources.put(SYSTEM, system);
      }
    }
    if (to == null) {
      print(sources);
    } else {
      var written = new ExportFolder(to, force).write(sources);
      if (json()) {
        var answer = Json.object().put("folder", to.toString()).put("files", sources.size());
        print(answer.put("written", written));
      } else {
        print(
            "%s has %d %s, %d written now."
                .formatted(to, sources.size(), sources.size() == 1 ? "file" : "files", written));
      }
    }
    return ExitCode.OK;
  }

  private List<String> all(BelayClient client) throws CommandFailed {
    var list = client.list(new Query("/workflows").with("tenant", tenant), WORKFLOWS_MAX);
    if (!list.path("next").isNull()) {
      // Applying a part with --prune would delete the rest.
      throw new CommandFailed(
          ExitCode.FAILED,
          "The tenant has more than %,d workflows; nothing was written. Name those that you want."
              .formatted(WORKFLOWS_MAX));
    }
    return list.path("items").valueStream().map(item -> Json.text(item, "name")).sorted().toList();
  }

  private String source(BelayClient client, String name) throws CommandFailed {
    if (!NAME.matcher(name).matches()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "\"%s\" is not the name of a workflow; nothing was written.".formatted(name));
    }
    return Json.text(
        client.fetch(new Query("/workflows/" + Query.part(name)).with("tenant", tenant)), "source");
  }

  private void print(Map<String, String> sources) {
    if (json()) {
      var answer = Json.object();
      sources.forEach((name, source) -> answer.put(name + ExportFolder.SUFFIX, source));
      print(answer);
      return;
    }
    sources.forEach(
        (name, source) -> {
          if (sources.size() > 1) {
            print("# " + name + ExportFolder.SUFFIX);
          }
          if (surroundings.terminal()) {
            source.lines().map(Style::clean).forEach(this::print);
          } else {
            surroundings.out().print(source);
            surroundings.out().flush();
          }
          if (sources.size() > 1) {
            print("---");
          }
        });
  }
}
