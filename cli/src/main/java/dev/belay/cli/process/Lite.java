package dev.belay.cli.process;

import dev.belay.agent.Agent;
import dev.belay.agent.process.TaskUser;
import dev.belay.agent.process.Umask;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ServerAddress;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.embedded.SupervisedPostgres;
import dev.belay.server.ServerSettings;
import dev.belay.server.wiring.BelayServer;
import dev.belay.server.wiring.Machine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** PostgreSQL, a server and a worker in this process. */
public final class Lite implements AutoCloseable {

  private static final Duration WORKER_WAIT_MAX = Duration.ofSeconds(10);
  private static final Duration WORKER_POLL = Duration.ofMillis(20);

  private final Parts parts = new Parts();
  private final LiteSettings settings;
  private final AgentParts agentParts;
  private final CommandContext surroundings;
  private final CompletableFuture<String> broken = new CompletableFuture<>();
  private URI url = URI.create("http://127.0.0.1/");
  private Optional<TaskUser> user = Optional.empty();

  private Lite(LiteSettings settings, CommandContext surroundings) {
    this.settings = settings;
    this.agentParts = new AgentParts(settings.values());
    this.surroundings = surroundings;
  }

  /** Starts everything, or stops the started parts and explains the failure. */
  public static Lite start(LiteSettings settings, CommandContext surroundings)
      throws CommandFailed {
    var lite = new Lite(settings, surroundings);
    try {
      lite.start();
      return lite;
    } catch (CommandFailed e) {
      lite.close();
      throw e;
    } catch (Exception e) {
      lite.close();
      throw lite.failed(e);
    }
  }

  public URI url() {
    return url;
  }

  /** Describes, for people, how tasks are separated from the worker. */
  String separation() throws CommandFailed {
    try {
      return AgentParts.separation(user);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  public ServerAddress connection() throws CommandFailed {
    try {
      return new ServerAddress(
          url, "this process", tokenFile(), Files.readString(tokenFile()).strip());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Completes with a reason for people when a part ended by itself; the rest is useless then. Also
   * completes while this closes, when it no longer matters.
   */
  CompletableFuture<String> broken() {
    return broken;
  }

  /** The names of parts that did not stop in order. */
  List<String> failed() {
    return parts.failed();
  }

  @Override
  public void close() {
    parts.close();
  }

  private void start() throws Exception {
    var folder = settings.folder();
    var machine = Machine.real();
    agentParts.user(List.of(folder.resolve("postgres")));
    parts.add("folder", FolderOwner.take(folder));
    // A killed lite may have left it: its readers would call another program's port.
    Files.deleteIfExists(folder.resolve(Endpoint.FILE_NAME));
    // Before the start of PostgreSQL, which takes seconds; the server checks again by itself.
    Arguments.checkFree(settings.host(), settings.port());
    var postgres =
        new OwnPostgres(folder, surroundings)
            .start(settings.ephemeral(), Optional.of(settings.values()), 0, machine, _ -> {});
    parts.add("postgres", postgres);
    var _ = postgres.onGone().thenAccept(broken::complete);
    // Again: now PostgreSQL's user is known.
    user = agentParts.user(List.of(folder.resolve("postgres")));
    // Not earlier: if PostgreSQL has another user, that user must be able to read its programs.
    var umask = Umask.ownerOnly();
    if (user.isPresent()) {
      FolderAccess.letThrough(folder);
    }
    var server = BelayServer.start(serverSettings(postgres));
    parts.add("server", server);
    url = URI.create("http://%s:%d".formatted(reachableHost(), server.port()));
    var agent = Agent.start(agentParts.agent(workerPlace(), user, umask));
    parts.add("agent", agent);
    var _ = agent.gaveUp().thenAccept(why -> broken.complete(Failures.gaveUp(why)));
    awaitWorker();
    if (!settings.ephemeral()) {
      publish(folder);
    }
  }

  /** Ready means that a task would start at once; a slow worker does not hold the server up. */
  private void awaitWorker() throws CommandFailed, InterruptedException {
    long start = surroundings.ticker().getAsLong();
    try (var client = new BelayClient(connection())) {
      while (surroundings.ticker().getAsLong() - start < WORKER_WAIT_MAX.toNanos()) {
        for (var worker : client.fetch(new Query("/workers")).path("items")) {
          if (Json.text(worker, "state").equals("CONNECTED")) {
            return;
          }
        }
        Thread.sleep(WORKER_POLL);
      }
    }
  }

  private void publish(Path folder) throws IOException {
    var endpoint = Endpoint.here(url, tokenFile(), surroundings.clock());
    endpoint.write(folder);
    parts.add("endpoint", () -> endpoint.remove(folder));
  }

  private ServerSettings serverSettings(SupervisedPostgres postgres) {
    return new ServerSettings(
        settings.values(),
        "lite",
        new ServerSettings.Database(postgres.jdbcUrl(), postgres.user(), postgres.password()),
        ServerSettings.Files.in(settings.folder()));
  }

  private AgentParts.Place workerPlace() {
    return new AgentParts.Place(
        "lite", List.of(url), files().joinToken(), settings.folder().resolve("worker"));
  }

  private ServerSettings.Files files() {
    return ServerSettings.Files.in(settings.folder());
  }

  private Path tokenFile() {
    return files().apiToken();
  }

  /** Where local clients reach a server that listens on all addresses. */
  private String reachableHost() {
    String host = settings.host();
    if (host.equals("0.0.0.0") || host.equals("::")) {
      return "127.0.0.1";
    }
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private CommandFailed failed(Exception e) {
    if (e instanceof InterruptedException) {
      return CommandFailed.interrupted();
    }
    if (e instanceof EmbeddedPostgresFailed) {
      return new CommandFailed(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
    return new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, settings.port()), e);
  }
}
