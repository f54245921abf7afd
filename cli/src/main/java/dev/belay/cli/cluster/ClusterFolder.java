package dev.belay.cli.cluster;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.cli.process.PostgresCommand;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a cluster. One command at a time holds the folder. */
final class ClusterFolder implements AutoCloseable {

  static final String POSTGRES = "postgres";

  private final Path path;
  private final FileChannel lock;

  private ClusterFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  static ClusterFolder open(Path folder) throws CommandFailed {
    var path = DataFolders.require(folder);
    DataFolders.require(path.resolve("logs"));
    var file = path.resolve("cluster.lock");
    try {
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "Another `belay cluster` command works on %s. Try again when it is done."
                .formatted(path));
      }
      return new ClusterFolder(path, channel);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    }
  }

  private static CommandFailed failed(Path file, IOException e) {
    return new CommandFailed(
        ExitCode.UNREACHABLE, "Cannot use %s: %s.".formatted(file, ConnectionFinder.reason(e)), e);
  }

  Path path() {
    return path;
  }

  Path tokenFile() {
    return path.resolve("token");
  }

  Path joinTokenFile() {
    return path.resolve("join-token");
  }

  /** Here the keeper of PostgreSQL reports that it is ready. */
  Path databaseFile() {
    return path.resolve(PostgresCommand.FILE_NAME);
  }

  Path passwordFile() {
    return path.resolve("postgres").resolve("password");
  }

  Path taskLogs() {
    return path.resolve("task-logs");
  }

  Path dataOf(String member) {
    return path.resolve(member);
  }

  Path logOf(String member) {
    return path.resolve("logs").resolve(member + ".log");
  }

  /** Its output: why it could not start, or how its JVM died. */
  Path outputOf(String member) {
    return path.resolve("logs").resolve(member + ".out");
  }

  Optional<Cluster> read() throws CommandFailed {
    return read(path);
  }

  /** Reads it without the lock. */
  static Optional<Cluster> read(Path folder) throws CommandFailed {
    var file = folder.resolve(Endpoint.CLUSTER_FILE_NAME);
    try {
      var cluster = Cluster.fromJson(Json.parse(Files.readAllBytes(file)));
      return Optional.of(
          cluster.database().keeper() == null ? cluster : cluster.withServer(server(folder)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /** The keeper restarts a PostgreSQL that died, and writes here which process it is now. */
  private static Optional<OsProcess> server(Path folder) throws IOException {
    try {
      var node = Json.parse(Files.readAllBytes(folder.resolve(PostgresCommand.FILE_NAME)));
      return Optional.of(Cluster.process(node));
    } catch (NoSuchFileException stopped) {
      return Optional.empty();
    }
  }

  /** Writes the processes; null when there are none. */
  void write(@Nullable Cluster cluster) throws CommandFailed {
    var file = path.resolve(Endpoint.CLUSTER_FILE_NAME);
    try {
      if (cluster == null) {
        Files.deleteIfExists(file);
      } else {
        Endpoint.writePrivately(file, cluster.toJson(this));
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public void close() throws CommandFailed {
    try {
      lock.close();
    } catch (IOException e) {
      throw failed(path, e);
    }
  }
}
