package dev.belay.cli.cluster;

import dev.belay.cli.client.Json;
import dev.belay.cli.cluster.Cluster.Member;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Restarts one process of a cluster. */
@Command(
    name = "start",
    aliases = "start-replica",
    description = {
      "Restart a stopped replica, agent or PostgreSQL, in its folder and on its port.",
      "Waits until it works."
    },
    footer = {
      "  belay cluster start --dir /tmp/c --replica 2",
      "  belay cluster start --dir /tmp/c --database"
    })
final class StartCommand extends FolderCommand {

  /** Which one. */
  static final class Which {
    @Option(names = "--replica", paramLabel = "N", description = "The replica with this number.")
    @Nullable Integer replica;

    @Option(names = "--agent", paramLabel = "N", description = "The agent with this number.")
    @Nullable Integer agent;

    @Option(names = "--database", description = "PostgreSQL.")
    boolean database;
  }

  @ArgGroup(multiplicity = "1")
  Which which = new Which();

  StartCommand(CommandContext surroundings) {
    super(surroundings);
  }

  /** A started process, and how to wait until it works. */
  private record Begun(Member member, Await await) {}

  /** May take minutes. */
  @FunctionalInterface
  private interface Await {
    void untilItWorks() throws CommandFailed;
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var begun = begin();
    // Without the folder's lock: a replica may wait for a database that another command starts.
    begun.await().untilItWorks();
    tell(begun.member());
    return ExitCode.OK;
  }

  private Begun begin() throws CommandFailed {
    try (var open = ClusterFolder.open(folder)) {
      var cluster =
          open.read()
              .filter(Cluster::isLive)
              .orElseThrow(
                  () ->
                      new CommandFailed(
                          ExitCode.UNREACHABLE, "No cluster runs in %s.".formatted(open.path())));
      var members = new Members(open, surroundings);
      return which.database ? database(open, cluster, members) : member(open, cluster, members);
    }
  }

  private Begun database(ClusterFolder open, Cluster cluster, Members members)
      throws CommandFailed {
    var keeper = cluster.database().keeper();
    var dead = dead(ClusterFolder.POSTGRES, keeper == null ? List.of() : List.of(keeper));
    var fresh = members.startPostgres(dead.port());
    open.write(cluster.with(cluster.database().with(fresh)));
    return new Begun(fresh, () -> members.awaitPostgres(fresh));
  }

  private Begun member(ClusterFolder open, Cluster cluster, Members members) throws CommandFailed {
    if (which.replica == null) {
      var dead = dead("agent-" + which.agent, cluster.agents());
      var fresh = members.startAgent(dead.name(), cluster);
      open.write(cluster.withAgent(fresh));
      return new Begun(fresh, () -> members.awaitAgent(fresh, cluster));
    }
    var dead = dead("replica-" + which.replica, cluster.replicas());
    var fresh =
        members.restartReplica(
            dead.name(), dead.port(), cluster.database(), cluster.replicas().size());
    open.write(cluster.withReplica(fresh));
    return new Begun(fresh, () -> members.awaitReplica(fresh));
  }

  private Member dead(String name, List<Member> members) throws CommandFailed {
    var found = members.stream().filter(member -> member.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "There is no %s in %s; it has %s."
              .formatted(name, path(), members.stream().map(Member::name).toList()));
    }
    if (found.get().process().isLive()) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "%s runs already (process %d).".formatted(name, found.get().process().pid()));
    }
    return found.get();
  }

  private void tell(Member member) {
    if (json()) {
      print(
          Json.pretty(
              Json.object()
                  .put("name", member.name())
                  .put("pid", member.process().pid())
                  .put("port", member.port())));
    } else {
      print("%s works (process %d).".formatted(member.name(), member.process().pid()));
    }
  }
}
