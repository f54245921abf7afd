package dev.belay.cli.process;

import dev.belay.agent.process.Umask;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.config.ProcessCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.server.ServerSettings;
import dev.belay.server.wiring.BelayServer;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Settings;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** Runs one replica of the server on an external PostgreSQL. */
@Command(
    name = "server",
    description = {
      "Run one server on an external PostgreSQL (15 or newer). Workers join with `belay agent`.",
      "The first start creates tokens in FOLDER/token (API) and FOLDER/join-token (workers)."
    },
    footer = {
      "  belay server --database-url jdbc:postgresql://db/belay --database-user belay \\",
      "    --database-password-file db-password --dir /var/lib/belay"
    })
public final class ServerCommand extends ProcessCommand {

  public ServerCommand(CommandContext surroundings) {
    super(ProcessKind.SERVER, surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var values = settings();
    var data = DataFolders.require(values.of(ServerGroup.DIR));
    var settings = serverSettings(values, data);
    var signals = surroundings.signals().get();
    Umask.ownerOnly();
    LogFile.open(data, values.find(ServerGroup.LOG_FILE).orElse(null));
    try (var parts = new Parts()) {
      parts.add(
          "record",
          RunningProcess.record(data, ProcessKind.SERVER, surroundings.clock(), signals.first()));
      if (!values.of(DatabaseGroup.NO_WAIT)
          && !BelayServer.awaitDatabase(settings, this::note, signals.first())) {
        note("Stopping.");
        return ExitCode.OK;
      }
      var server = BelayServer.start(settings);
      parts.add("server", server);
      print(
          "Belay server is ready at http://%s:%d; tokens and logs in %s."
              .formatted(settings.host(), server.port(), data));
      signals.first().join();
      note("Stopping.");
      return ExitCode.OK;
    } catch (BelayServer.ServerFailed e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, settings.port()), e);
    }
  }

  static ServerSettings serverSettings(Settings values, Path data) throws CommandFailed {
    var inFolder = ServerSettings.Files.in(data);
    return new ServerSettings(
        values,
        values
            .find(ServerGroup.REPLICA)
            .orElseGet(
                () ->
                    "%s:%d:%d"
                        .formatted(
                            values.of(ServerGroup.HOST),
                            values.of(ServerGroup.PORT),
                            ProcessHandle.current().pid())),
        new ServerSettings.Database(
            values.of(DatabaseGroup.DATABASE_URL),
            values.of(DatabaseGroup.DATABASE_USER),
            password(values)),
        new ServerSettings.Files(
            values.find(ServerGroup.API_TOKEN_FILE).orElse(inFolder.apiToken()),
            values.find(ServerGroup.JOIN_TOKEN_FILE).orElse(inFolder.joinToken()),
            values.find(ServerGroup.TASK_LOG_DIR).orElse(inFolder.logFolder())));
  }

  private static String password(Settings values) throws CommandFailed {
    var file = values.find(DatabaseGroup.DATABASE_PASSWORD_FILE);
    return file.isPresent()
        ? TextFile.read(file.get()).strip()
        : values.find(DatabaseGroup.DATABASE_PASSWORD).orElse("");
  }
}
