package dev.belay.cli.process;

import dev.belay.agent.Agent;
import dev.belay.agent.AgentSettings;
import dev.belay.agent.process.Umask;
import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Surroundings;
import dev.belay.domain.spec.TaskSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A worker. */
@Command(
    name = "agent",
    description = {
      "Run a worker: it takes tasks from a server and runs them here.",
      "Ctrl-C drains it: no new tasks, running ones are given a moment. Exit 3 when it could not",
      "start, or gave up because it can do no more work."
    },
    footer = {
      "  belay agent --server http://10.0.0.5:8080 --join-token-file join-token --dir"
          + " /var/lib/belay-agent",
      "  belay agent --server http://a:8080 --server http://b:8080 --join-token-file t --dir d"
          + " --pool gpu"
    })
public final class AgentCommand extends BelayCommand {

  @Option(
      names = "--server",
      required = true,
      paramLabel = "URL",
      description = "A server; repeatable, tried in turn.")
  List<String> servers;

  @Option(
      names = "--join-token-file",
      required = true,
      paramLabel = "FILE",
      description = "Holds the token that lets a worker in (join-token in the server's folder).")
  Path joinTokenFile;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "FOLDER",
      description = "Keeps the worker's identity, its journal and the work folders.")
  Path folder;

  @Option(
      names = "--pool",
      paramLabel = "POOL",
      description = "Takes tasks of this pool; repeatable (default: default).")
  List<String> pools = List.of(TaskSpec.POOL_DEFAULT);

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Run at most N tasks at a time (default: ${DEFAULT-VALUE}).")
  int slots = LiteSettings.slotsDefault();

  @Option(names = "--label", paramLabel = "K=V", description = "A label; repeatable.")
  Map<String, String> labels = Map.of();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What to call it (default: the name of this machine).")
  @Nullable String name;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "Log here instead of FOLDER/belay.log and stderr.")
  @Nullable Path logFile;

  @Mixin WorkerOptions options = new WorkerOptions();

  public AgentCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Arguments.checkSlots(slots);
    options.check();
    var user = options.user(List.of());
    var addresses = new ArrayList<URI>();
    for (String server : servers) {
      addresses.add(ConnectionFinder.address("--server", server));
    }
    if (!Files.isReadable(joinTokenFile)) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Cannot read the join token %s. Copy join-token from the server's folder."
              .formatted(joinTokenFile));
    }
    var data = folder.toAbsolutePath().normalize();
    if (!DataFolders.prepare(data)) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "The folder %s cannot be written. Choose another with --dir.".formatted(data));
    }
    var signals = surroundings.signals().get();
    var umask = Umask.ownerOnly();
    LogFile.open(data, logFile);
    try (var parts = new Parts()) {
      var agent = Agent.start(options.applied(settings(data, addresses), user, umask));
      parts.add("agent", agent);
      var gaveUp = agent.gaveUp().toCompletableFuture();
      print("The worker %s joins for tasks of %s; log in %s.".formatted(nameOrHost(), pools, data));
      print(WorkerOptions.separation(user));
      CompletableFuture.anyOf(signals.first(), gaveUp).join();
      if (!signals.requested()) {
        throw new CommandFailed(ExitCode.UNREACHABLE, Failures.gaveUp(gaveUp.join()));
      }
      note("Stopping; running tasks are given a moment. Again Ctrl-C ends at once.");
      return ExitCode.OK;
    } catch (IOException | RuntimeException e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, 0), e);
    }
  }

  private AgentSettings settings(Path data, List<URI> addresses) {
    return new AgentSettings(
        nameOrHost(),
        addresses,
        joinTokenFile,
        data,
        pools,
        slots,
        labels,
        AgentSettings.STOP_GRACE_DEFAULT,
        AgentSettings.DRAIN_TIMEOUT_DEFAULT,
        AgentSettings.LOG_MAX_BYTES_DEFAULT);
  }

  private String nameOrHost() {
    if (name != null) {
      return name;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "worker-" + ProcessHandle.current().pid();
    }
  }
}
