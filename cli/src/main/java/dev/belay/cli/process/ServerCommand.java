package dev.belay.cli.process;

import dev.belay.agent.process.Umask;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Surroundings;
import dev.belay.server.ServerSettings;
import dev.belay.server.wiring.BelayServer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One replica of the server on a PostgreSQL that runs elsewhere. */
@Command(
    name = "server",
    description = {
      "Run one server on an external PostgreSQL (15 or newer). Workers join with `belay agent`.",
      "Tokens are made on the first start in FOLDER/token (API) and FOLDER/join-token (workers)."
    },
    footer = {
      "  belay server --database-url jdbc:postgresql://db/belay --user belay \\",
      "    --password-file db-password --dir /var/lib/belay"
    })
public final class ServerCommand extends BelayCommand {

  @Option(
      names = "--database-url",
      required = true,
      paramLabel = "JDBC-URL",
      description = "Where PostgreSQL is.")
  String databaseUrl;

  @Option(names = "--user", required = true, paramLabel = "NAME", description = "Its user.")
  String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "Holds its password; none when left out.")
  @Nullable Path passwordFile;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      description = "Connections to it (default: ${DEFAULT-VALUE}).")
  int poolSize = 32;

  @Option(
      names = "--no-wait",
      description = "End at once when the database cannot be reached, instead of waiting for it.")
  boolean noWait;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "FOLDER",
      description = "Keeps tokens and logs.")
  Path folder;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen here; 0 takes a free port (default: ${DEFAULT-VALUE}).")
  int port = LiteSettings.PORT_DEFAULT;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Listen on this address (default: ${DEFAULT-VALUE}, this machine only).")
  String host = LiteSettings.HOST_DEFAULT;

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description = "A name by which clients may call this server; repeatable.")
  List<String> allowedHosts = List.of();

  @Option(
      names = "--replica",
      paramLabel = "NAME",
      description = "What to call this replica (default: address and process).")
  @Nullable String replica;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The API's token (default: FOLDER/token). Replicas share one.")
  @Nullable Path tokenFile;

  @Option(
      names = "--join-token-file",
      paramLabel = "FILE",
      description = "The workers' token (default: FOLDER/join-token). Replicas share one.")
  @Nullable Path joinTokenFile;

  @Option(
      names = "--task-log-dir",
      paramLabel = "FOLDER",
      description = "Keeps the logs of tasks (default: FOLDER/logs). Replicas may share one.")
  @Nullable Path taskLogFolder;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "Log here instead of FOLDER/belay.log and stderr.")
  @Nullable Path logFile;

  @Mixin ServerOptions options = new ServerOptions();

  public ServerCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Arguments.checkPort(port);
    Arguments.checkPoolSize(poolSize);
    var data = folder.toAbsolutePath().normalize();
    if (!DataFolders.prepare(data)) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "The folder %s cannot be written. Choose another with --dir.".formatted(data));
    }
    var settings = settings(data);
    var signals = surroundings.signals().get();
    Umask.ownerOnly();
    LogFile.open(data, logFile);
    try (var parts = new Parts()) {
      if (!noWait && !BelayServer.awaitDatabase(settings, this::note, signals.first())) {
        note("Stopping.");
        return ExitCode.OK;
      }
      var server = BelayServer.start(settings);
      parts.add("server", server);
      print(
          "Belay server is ready at http://%s:%d; tokens and logs in %s."
              .formatted(host, server.port(), data));
      signals.first().join();
      note("Stopping.");
      return ExitCode.OK;
    } catch (BelayServer.ServerFailed e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, port), e);
    }
  }

  private ServerSettings settings(Path data) throws CommandFailed {
    String password = passwordFile == null ? "" : TextFile.read(passwordFile).strip();
    return new ServerSettings(
        replica != null ? replica : "%s:%d:%d".formatted(host, port, ProcessHandle.current().pid()),
        ServerSettings.Edition.PRO,
        host,
        port,
        allowedHosts,
        new ServerSettings.Database(databaseUrl, user, password, poolSize),
        tokenFile != null ? tokenFile : data.resolve("token"),
        joinTokenFile != null ? joinTokenFile : data.resolve("join-token"),
        taskLogFolder != null ? taskLogFolder : data.resolve("logs"),
        options.limits(),
        options.intervals());
  }
}
