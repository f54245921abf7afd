package dev.belay.cli.process;

import dev.belay.agent.Agent;
import dev.belay.agent.process.Umask;
import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.config.ProcessCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.settings.AgentGroup;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/** Runs a worker. */
@Command(
    name = "agent",
    description = {
      "Run a worker: it takes tasks from a server and runs them here.",
      "Ctrl-C drains it: it takes no new tasks, and running ones get a moment to end. Exit 3 when",
      "it could not start, or gave up because it can do no more work."
    },
    footer = {
      "  belay agent --server http://10.0.0.5:8080 --join-token-file join-token --dir"
          + " /var/lib/belay-agent",
      "  belay agent --server http://a:8080 --server http://b:8080 --join-token-file t --dir d"
          + " --pool gpu"
    })
public final class AgentCommand extends ProcessCommand {

  public AgentCommand(CommandContext surroundings) {
    super(ProcessKind.AGENT, surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var values = settings();
    var agentParts = new AgentParts(values);
    var user = agentParts.user(List.of());
    var addresses = new ArrayList<URI>();
    for (String server : values.of(AgentGroup.SERVER)) {
      addresses.add(ConnectionFinder.address("--server", server));
    }
    var joinTokenFile = values.of(ServerGroup.JOIN_TOKEN_FILE);
    if (!Files.isReadable(joinTokenFile)) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Cannot read the join token %s. Copy join-token from the server's folder."
              .formatted(joinTokenFile));
    }
    var data = DataFolders.require(values.of(ServerGroup.DIR));
    String name = values.find(AgentGroup.NAME).orElseGet(AgentCommand::machine);
    var signals = surroundings.signals().get();
    var umask = Umask.ownerOnly();
    LogFile.open(data, values.find(ServerGroup.LOG_FILE).orElse(null));
    try (var parts = new Parts()) {
      parts.add(
          "record",
          RunningProcess.record(data, ProcessKind.AGENT, surroundings.clock(), signals.first()));
      var place = new AgentParts.Place(name, addresses, joinTokenFile, data);
      var agent = Agent.start(agentParts.agent(place, user, umask));
      parts.add("agent", agent);
      var gaveUp = agent.gaveUp().toCompletableFuture();
      print(
          "The worker %s joins for tasks of %s; log in %s."
              .formatted(name, values.of(AgentGroup.POOL), data));
      print(AgentParts.separation(user));
      CompletableFuture.anyOf(signals.first(), gaveUp).join();
      if (!signals.requested()) {
        throw new CommandFailed(ExitCode.UNREACHABLE, Failures.gaveUp(gaveUp.join()));
      }
      note("Stopping; running tasks get a moment to end. Press Ctrl-C again to end at once.");
      return ExitCode.OK;
    } catch (IOException | RuntimeException e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, 0), e);
    }
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "worker-" + ProcessHandle.current().pid();
    }
  }
}
