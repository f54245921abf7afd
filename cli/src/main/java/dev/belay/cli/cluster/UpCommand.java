package dev.belay.cli.cluster;

import dev.belay.cli.client.Json;
import dev.belay.cli.process.Arguments;
import dev.belay.cli.process.LiteSettings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.server.auth.Tokens;
import dev.belay.server.wiring.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a cluster. */
@Command(
    name = "up",
    description = {
      "Start PostgreSQL, replicas and agents, and wait until they work.",
      "They keep running after this command; `belay cluster down` stops them. Data is kept for the",
      "next `up` in the same folder. BELAY_HOME=FOLDER lets other commands find the cluster."
    },
    footer = {
      "  belay cluster up --replicas 3 --agents 2 --dir /tmp/c -o json",
      "  BELAY_HOME=/tmp/c belay submit --wait -- /bin/echo hi"
    })
final class UpCommand extends FolderCommand {

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Server processes (default: ${DEFAULT-VALUE}).")
  int replicas = 3;

  @Option(
      names = "--agents",
      paramLabel = "N",
      description = "Worker processes (default: ${DEFAULT-VALUE}).")
  int agents = 2;

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Tasks that each agent runs at a time (default: ${DEFAULT-VALUE}).")
  int slots = LiteSettings.slotsDefault();

  @Option(
      names = "--port",
      paramLabel = "BASE",
      description = "Replicas listen here and on the next ports; 0 takes free ones (default).")
  int port;

  @Option(
      names = "--database-url",
      paramLabel = "JDBC-URL",
      description = "Use this PostgreSQL instead of starting one.")
  @Nullable String databaseUrl;

  @Option(names = "--user", paramLabel = "NAME", description = "Database user (default: belay).")
  String user = "belay";

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "The file with its password (default: no password).")
  @Nullable Path passwordFile;

  UpCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Arguments.checkMembers("--replicas", replicas, 1);
    Arguments.checkMembers("--agents", agents, 0);
    Arguments.checkSlots(slots);
    Arguments.checkPort(port);
    surroundings.signals().get().interrupt(Thread.currentThread());
    try (var open = ClusterFolder.open(folder)) {
      if (open.read().filter(Cluster::isLive).isPresent()) {
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "A cluster runs in %s already. `belay cluster status` shows it, `belay cluster down` ends it."
                .formatted(open.path()));
      }
      var start = new Start(open);
      try {
        start.everything();
      } catch (CommandFailed e) {
        start.undo();
        throw e;
      }
      tell(open, start.cluster);
      return ExitCode.OK;
    }
  }

  private void tell(ClusterFolder open, Cluster cluster) {
    if (json()) {
      print(Json.pretty(cluster.toJson(open)));
      return;
    }
    printAll(ClusterPrint.table(cluster, style));
    print("");
    print("Logs in %s. Try:".formatted(open.path().resolve("logs")));
    print("  BELAY_HOME=%s belay submit --wait -- /bin/echo hi".formatted(open.path()));
    print("  belay cluster down --dir %s".formatted(open.path()));
  }

  /** One start, step by step. The file holds each process before the next step. */
  private final class Start {
    private final ClusterFolder open;
    private final Members members;
    private final SecureRandom random = Machine.real().random();
    private Cluster cluster;

    Start(ClusterFolder open) {
      this.open = open;
      this.members = new Members(open, surroundings);
      var password = passwordFile == null ? null : passwordFile.toAbsolutePath();
      var external =
          new Cluster.Database(databaseUrl == null ? "" : databaseUrl, user, password, null, null);
      this.cluster = new Cluster(external, List.of(), List.of(), slots);
    }

    void everything() throws CommandFailed {
      var ports = port == 0 ? Ports.free(replicas + 1, random) : Ports.from(port, replicas);
      makeTokens();
      if (databaseUrl == null) {
        startPostgres(port == 0 ? ports.getLast() : Ports.free(1, random).getFirst());
      }
      for (int i = 0; i < replicas; i++) {
        keep(
            cluster.withReplica(
                members.startReplica(
                    "replica-" + (i + 1), ports.get(i), cluster.database(), replicas)));
      }
      for (var replica : cluster.replicas()) {
        members.awaitReplica(replica);
      }
      for (int i = 0; i < agents; i++) {
        keep(cluster.withAgent(members.startAgent("agent-" + (i + 1), cluster)));
      }
      for (var agent : cluster.agents()) {
        members.awaitAgent(agent, cluster);
      }
    }

    /** Runs before any server, which would create them, because agents need the token. */
    private void makeTokens() throws CommandFailed {
      try {
        Tokens.load(open.tokenFile(), open.joinTokenFile(), random);
      } catch (IOException e) {
        throw new CommandFailed(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
      }
    }

    private void startPostgres(int chosen) throws CommandFailed {
      var keeper = members.startPostgres(chosen);
      keep(cluster.with(new Cluster.Database("", "", null, null, keeper)));
      keep(cluster.with(members.awaitPostgres(keeper)));
    }

    private void keep(Cluster grown) throws CommandFailed {
      cluster = grown;
      open.write(grown);
    }

    /** Only prints its own failures: the first failure is the one to report. */
    void undo() {
      // The interrupt has served its purpose; undo must wait for processes to end.
      boolean interrupted = Thread.interrupted();
      try {
        new Ending(surroundings).end(cluster);
        open.write(null);
        Files.deleteIfExists(open.databaseFile());
      } catch (CommandFailed | IOException e) {
        note("belay: " + e.getMessage());
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
