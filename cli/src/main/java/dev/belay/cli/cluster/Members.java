package dev.belay.cli.cluster;

import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ServerAddress;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.cluster.Cluster.Database;
import dev.belay.cli.cluster.Cluster.Member;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts the members of a cluster and waits until they work. */
final class Members {

  /** The connections of the embedded PostgreSQL for the pools of all replicas together. */
  private static final int CONNECTIONS_MAX = 72;

  /** Includes the recovery of a database that was killed. */
  private static final Duration READY_MAX = Duration.ofMinutes(3);

  private static final Duration POLL = Duration.ofMillis(50);

  /** The agent's session starts after its process, by two different clocks. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  private static final int OUTPUT_MAX_BYTES = 8_192;

  private final ClusterFolder folder;
  private final CommandContext surroundings;
  private final DetachedJvm jvm;

  Members(ClusterFolder folder, CommandContext surroundings) {
    this.folder = folder;
    this.surroundings = surroundings;
    this.jvm = new DetachedJvm(surroundings);
  }

  Member startPostgres(int port) throws CommandFailed {
    var arguments =
        List.of(
            "postgres",
            "--dir",
            folder.path().toString(),
            "--port",
            Integer.toString(port),
            "--log-file",
            folder.logOf(ClusterFolder.POSTGRES).toString());
    try {
      // A killed PostgreSQL may have left its file, which must not count for this one.
      Files.deleteIfExists(folder.databaseFile());
    } catch (IOException e) {
      throw notStarted(ClusterFolder.POSTGRES, e);
    }
    return start(DetachedJvm.Kind.POSTGRES, ClusterFolder.POSTGRES, port, arguments);
  }

  Database awaitPostgres(Member keeper) throws CommandFailed {
    await(keeper, () -> Files.exists(folder.databaseFile()));
    try {
      var node = Json.parse(Files.readAllBytes(folder.databaseFile()));
      return new Database(
          Json.text(node, "url"),
          Json.text(node, "user"),
          folder.passwordFile(),
          Cluster.process(node),
          keeper);
    } catch (IOException e) {
      throw notStarted(keeper.name(), e);
    }
  }

  /** Unlike in a new cluster, a restarted replica waits for a database that is down. */
  Member restartReplica(String name, int port, Database database, int replicas)
      throws CommandFailed {
    return start(
        DetachedJvm.Kind.SERVER, name, port, replicaArguments(name, port, database, replicas));
  }

  Member startReplica(String name, int port, Database database, int replicas) throws CommandFailed {
    var arguments = replicaArguments(name, port, database, replicas);
    arguments.add("--no-wait");
    return start(DetachedJvm.Kind.SERVER, name, port, arguments);
  }

  private List<String> replicaArguments(String name, int port, Database database, int replicas) {
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("server", "--replica", name, "--port", Integer.toString(port)));
    arguments.addAll(List.of("--dir", folder.dataOf(name).toString()));
    arguments.addAll(List.of("--log-file", folder.logOf(name).toString()));
    // One folder for all, so any replica shows the log of a task whose agent has moved.
    arguments.addAll(List.of("--task-log-dir", folder.taskLogs().toString()));
    arguments.addAll(List.of("--database-url", database.url(), "--database-user", database.user()));
    if (database.passwordFile() != null) {
      arguments.addAll(List.of("--database-password-file", database.passwordFile().toString()));
    }
    arguments.addAll(
        List.of("--database-connections", Integer.toString(CONNECTIONS_MAX / replicas)));
    arguments.addAll(List.of("--api-token-file", folder.tokenFile().toString()));
    arguments.addAll(List.of("--join-token-file", folder.joinTokenFile().toString()));
    return arguments;
  }

  void awaitReplica(Member replica) throws CommandFailed {
    try (var client = client(replica)) {
      await(replica, client::ready);
    }
  }

  Member startAgent(String name, Cluster cluster) throws CommandFailed {
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("agent", "--name", name, "--dir", folder.dataOf(name).toString()));
    arguments.addAll(List.of("--log-file", folder.logOf(name).toString()));
    arguments.addAll(List.of("--join-token-file", folder.joinTokenFile().toString()));
    arguments.addAll(List.of("--slots", Integer.toString(cluster.slots())));
    cluster.replicas().forEach(replica -> arguments.addAll(List.of("--server", replica.url())));
    return start(DetachedJvm.Kind.AGENT, name, 0, arguments);
  }

  void awaitAgent(Member agent, Cluster cluster) throws CommandFailed {
    for (var replica : cluster.replicas()) {
      if (replica.process().state() == OsProcess.State.RUNNING) {
        try (var client = client(replica)) {
          await(agent, () -> isConnected(client, agent));
          return;
        }
      }
    }
    throw new CommandFailed(ExitCode.UNREACHABLE, "No replica is running for the agent to join.");
  }

  private static boolean isConnected(BelayClient client, Member agent) throws CommandFailed {
    try {
      for (var worker : client.fetch(new Query("/workers")).path("items")) {
        var startedAt = Json.time(worker, "started_at");
        // The row of an agent that was killed long ago also reads CONNECTED.
        if (Json.text(worker, "name").equals(agent.name())
            && Json.text(worker, "state").equals("CONNECTED")
            && startedAt != null
            && startedAt.isAfter(agent.process().startedAt().minus(START_TOLERANCE))) {
          return true;
        }
      }
      return false;
    } catch (Unreachable busy) {
      return false;
    }
  }

  private BelayClient client(Member replica) throws CommandFailed {
    try {
      return new BelayClient(
          new ServerAddress(
              URI.create(replica.url()),
              replica.name(),
              folder.tokenFile(),
              Files.readString(folder.tokenFile()).strip()));
    } catch (IOException e) {
      throw notStarted(replica.name(), e);
    }
  }

  private Member start(DetachedJvm.Kind kind, String name, int port, List<String> arguments)
      throws CommandFailed {
    try {
      return new Member(name, jvm.start(kind, arguments, folder.outputOf(name)), port);
    } catch (IOException e) {
      throw notStarted(name, e);
    }
  }

  /** Whether a member works yet. */
  @FunctionalInterface
  private interface Readiness {
    boolean isReached() throws CommandFailed;
  }

  private void await(Member member, Readiness ready) throws CommandFailed {
    long start = surroundings.ticker().getAsLong();
    while (!ready.isReached()) {
      if (!member.process().isLive()) {
        throw unfit(member, "ended before it was ready");
      }
      if (surroundings.ticker().getAsLong() - start > READY_MAX.toNanos()) {
        throw unfit(member, "was not ready within %d s".formatted(READY_MAX.toSeconds()));
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        throw CommandFailed.interrupted();
      }
    }
  }

  private CommandFailed unfit(Member member, String what) {
    return new CommandFailed(
        ExitCode.UNREACHABLE,
        "%s %s. Read %s and %s."
            .formatted(
                member.name(), what, folder.logOf(member.name()), folder.outputOf(member.name())),
        output(member.name()),
        null);
  }

  private List<String> output(String name) {
    try (var in = Files.newInputStream(folder.outputOf(name))) {
      return new String(in.readNBytes(OUTPUT_MAX_BYTES), java.nio.charset.StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static CommandFailed notStarted(String name, IOException e) {
    return new CommandFailed(
        ExitCode.UNREACHABLE, "%s could not be started: %s.".formatted(name, e), e);
  }
}
