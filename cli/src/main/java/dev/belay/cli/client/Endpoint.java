package dev.belay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a lite process on this machine listens. The file exists while the server is ready. After
 * kill -9 it stays, and its process id shows that it is stale. A cluster has several endpoints: any
 * live replica will do.
 */
public record Endpoint(URI url, OsProcess process, Path tokenFile) {

  public static final String FILE_NAME = "endpoint.json";

  /** Where {@code belay cluster} records its processes. */
  public static final String CLUSTER_FILE_NAME = "cluster.json";

  private static final int FILE_MAX_BYTES = 64 << 10;

  /** The endpoint of this process. */
  public static Endpoint here(URI url, Path tokenFile, InstantSource clock) {
    return new Endpoint(url, OsProcess.of(ProcessHandle.current(), clock), tokenFile);
  }

  /** The endpoints of live processes: of lite, else of the replicas of a cluster. */
  public static List<Endpoint> live(Path folder) throws IOException {
    var lite = read(folder).filter(endpoint -> endpoint.process.isLive());
    return lite.isPresent()
        ? List.of(lite.get())
        : replicas(folder).stream().filter(Endpoint::serves).toList();
  }

  /** A frozen process cannot serve. */
  private boolean serves() {
    return process.state() == OsProcess.State.RUNNING;
  }

  private static List<Endpoint> replicas(Path folder) throws IOException {
    var cluster = parse(folder.resolve(CLUSTER_FILE_NAME));
    var replicas = new ArrayList<Endpoint>();
    if (cluster.isPresent()) {
      var token = Json.text(cluster.get(), "token_file");
      for (var replica : cluster.get().path("replicas")) {
        replicas.add(endpoint(replica, token));
      }
    }
    return replicas;
  }

  static Optional<Endpoint> read(Path folder) throws IOException {
    var node = parse(folder.resolve(FILE_NAME));
    return node.isEmpty()
        ? Optional.empty()
        : Optional.of(endpoint(node.get(), Json.text(node.get(), "token_file")));
  }

  private static Optional<JsonNode> parse(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return Optional.of(Json.parse(in.readNBytes(FILE_MAX_BYTES)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Endpoint endpoint(JsonNode node, String tokenFile) throws IOException {
    var startedAt = Json.time(node, "started_at");
    if (!node.path("pid").canConvertToLong() || startedAt == null) {
      throw new IOException("it is not an endpoint file of Belay");
    }
    return new Endpoint(
        URI.create(Json.text(node, "url")),
        new OsProcess(node.path("pid").asLong(), startedAt),
        Path.of(tokenFile));
  }

  /** Writes the file atomically. */
  public void write(Path folder) throws IOException {
    var node =
        Json.object()
            .put("url", url.toString())
            .put("pid", process.pid())
            .put("token_file", tokenFile.toString())
            .put("started_at", process.startedAt().toString());
    writePrivately(folder.resolve(FILE_NAME), node);
  }

  /** Writes the file atomically, readable by its owner only. */
  public static void writePrivately(Path file, JsonNode node) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var part =
        Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part", owner);
    try {
      Files.writeString(part, Json.pretty(node) + "\n");
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Removes the file if it still names this process. */
  public void remove(Path folder) throws IOException {
    if (read(folder).filter(this::equals).isPresent()) {
      Files.deleteIfExists(folder.resolve(FILE_NAME));
    }
  }
}
