package dev.belay.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import picocli.CommandLine.Command;

/** Shows a cluster. */
@Command(
    name = "status",
    description = {
      "Show the processes of a cluster: running, frozen or ended.",
      "Exit 0 when all run, 1 when one does not or there is no cluster."
    },
    footer = "  belay cluster status --dir /tmp/c -o json")
final class StatusCommand extends FolderCommand {

  StatusCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var found = ClusterFolder.read(path());
    if (found.isEmpty()) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "No cluster runs in %s. Start one with `belay cluster up --dir %s`."
              .formatted(path(), path()));
    }
    var cluster = found.get();
    if (json()) {
      print(Json.pretty(withStates(cluster)));
    } else {
      printAll(ClusterPrint.table(cluster, style));
    }
    boolean all =
        cluster.members().allMatch(member -> member.process().state() == OsProcess.State.RUNNING);
    return all ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The file's content, with a state for each process. */
  private ObjectNode withStates(Cluster cluster) throws CommandFailed {
    var file = path().resolve(Endpoint.CLUSTER_FILE_NAME);
    try {
      var node = (ObjectNode) Json.parse(Files.readAllBytes(file));
      addServer((ObjectNode) node.path("database"), cluster);
      for (String list : new String[] {"replicas", "agents"}) {
        for (var member : node.path(list)) {
          addState((ObjectNode) member);
        }
      }
      return node;
    } catch (IOException | ClassCastException e) {
      throw new CommandFailed(ExitCode.FAILED, "Cannot read %s: %s.".formatted(file, e), e);
    }
  }

  private static void addServer(ObjectNode node, Cluster cluster) throws IOException {
    var server = cluster.database().server();
    if (server != null) {
      node.put("pid", server.pid()).put("started_at", server.startedAt().toString());
    }
    addState(node);
  }

  private static void addState(ObjectNode node) throws IOException {
    if (node.has("pid")) {
      node.put("state", ClusterPrint.state(Cluster.process(node)));
    }
  }
}
