package dev.belay.cli.cluster;

import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.util.List;
import picocli.CommandLine.Command;

/** Ends a cluster. */
@Command(
    name = "down",
    description = {
      "Stop every process of a cluster; data is kept.",
      "Agents first, then replicas, then PostgreSQL. Does nothing if no cluster runs."
    },
    footer = "  belay cluster down --dir /tmp/c")
final class DownCommand extends FolderCommand {

  DownCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (!Files.isDirectory(path())) {
      return done(false, List.of());
    }
    try (var open = ClusterFolder.open(folder)) {
      var cluster = open.read();
      var killed =
          cluster.isPresent() ? new Ending(surroundings).end(cluster.get()) : List.<String>of();
      open.write(null);
      return done(cluster.isPresent(), killed);
    }
  }

  private ExitCode done(boolean ran, List<String> killed) {
    if (json()) {
      var node = Json.object().put("dir", path().toString());
      var names = node.putArray("killed");
      killed.forEach(names::add);
      print(Json.pretty(node));
    } else {
      print((ran ? "The cluster in %s has ended." : "No cluster runs in %s.").formatted(path()));
    }
    if (!killed.isEmpty()) {
      note("These did not end in order and were killed: " + String.join(", ", killed) + ".");
    }
    return ExitCode.OK;
  }
}
