package dev.belay.cli.process;

import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.embedded.EmbeddedPostgres;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.server.wiring.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the PostgreSQL of a cluster, which lives as long as this process. */
@Command(
    name = "postgres",
    hidden = true,
    description = {
      "Run the embedded PostgreSQL of a folder, for `belay cluster`. While it serves,",
      "FOLDER/database.json says where; the password is in FOLDER/postgres/password."
    })
public final class PostgresCommand extends BelayCommand {

  public static final String FILE_NAME = "database.json";

  @Option(names = "--dir", required = true, paramLabel = "FOLDER", description = "Its folder.")
  Path folder;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen here; 0 takes a free port (default: ${DEFAULT-VALUE}).")
  int port;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "Log here instead of FOLDER/belay.log and stderr.")
  @Nullable Path logFile;

  public PostgresCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Arguments.checkPort(port);
    var data = folder.toAbsolutePath().normalize();
    var file = data.resolve(FILE_NAME);
    var signals = surroundings.signals().get();
    LogFile.open(data, logFile);
    try (var parts = new Parts()) {
      Files.deleteIfExists(file);
      parts.add("file", () -> Files.deleteIfExists(file));
      var postgres =
          new OwnPostgres(data, surroundings)
              .start(
                  false, Optional.empty(), port, Machine.real(), server -> publish(server, file));
      parts.add("postgres", postgres);
      var gone = postgres.onGone().toCompletableFuture();
      CompletableFuture.anyOf(signals.first(), gone).join();
      if (!signals.requested()) {
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "%s See %s.".formatted(gone.join(), data.resolve("postgres").resolve("server.log")));
      }
      return ExitCode.OK;
    } catch (EmbeddedPostgresFailed e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, port), e);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }

  private void publish(EmbeddedPostgres postgres, Path file) {
    var server =
        new OsProcess(
            postgres.pid(),
            ProcessHandle.of(postgres.pid())
                .flatMap(process -> process.info().startInstant())
                .orElseGet(surroundings.clock()::instant));
    var where =
        Json.object()
            .put("url", postgres.jdbcUrl())
            .put("user", postgres.user())
            .put("port", postgres.port())
            .put("pid", server.pid())
            .put("started_at", server.startedAt().toString());
    try {
      Endpoint.writePrivately(file, where);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
