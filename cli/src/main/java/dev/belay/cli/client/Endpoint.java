package dev.belay.cli.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Where a lite process on this machine listens. The file appears when the server is ready and goes
 * when it stops; after kill -9 it stays, and its process tells that it is stale.
 *
 * @param startedAt when that process started, because its id may belong to another one by now
 */
public record Endpoint(URI url, long pid, Path tokenFile, Instant startedAt) {

  public static final String FILE_NAME = "endpoint.json";
  private static final int FILE_MAX_BYTES = 64 << 10;

  /** The kernel counts from the boot, whose time changes a little when the clock is set. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  /** Of this process. */
  public static Endpoint here(URI url, Path tokenFile, InstantSource clock) {
    var process = ProcessHandle.current();
    var startedAt = process.info().startInstant().orElseGet(clock::instant);
    return new Endpoint(url, process.pid(), tokenFile, startedAt);
  }

  /** The endpoint whose process lives; empty when there is none. */
  public static Optional<Endpoint> live(Path folder) throws IOException {
    return read(folder).filter(Endpoint::isLive);
  }

  private boolean isLive() {
    return ProcessHandle.of(pid).filter(process -> startedAt(process.info())).isPresent();
  }

  /** A process whose start cannot be seen is believed. */
  private boolean startedAt(ProcessHandle.Info process) {
    return process
        .startInstant()
        .map(start -> Duration.between(start, startedAt).abs().compareTo(START_TOLERANCE) <= 0)
        .orElse(true);
  }

  static Optional<Endpoint> read(Path folder) throws IOException {
    byte[] bytes;
    try (var in = Files.newInputStream(folder.resolve(FILE_NAME))) {
      bytes = in.readNBytes(FILE_MAX_BYTES);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    var node = Json.parse(bytes);
    var startedAt = Json.time(node, "started_at");
    if (!node.path("pid").canConvertToLong() || startedAt == null) {
      throw new IOException("it is not an endpoint file of Belay");
    }
    return Optional.of(
        new Endpoint(
            URI.create(Json.text(node, "url")),
            node.path("pid").asLong(),
            Path.of(Json.text(node, "token_file")),
            startedAt));
  }

  /** Appears at once and complete, readable by its owner only. */
  public void write(Path folder) throws IOException {
    var node =
        Json.object()
            .put("url", url.toString())
            .put("pid", pid)
            .put("token_file", tokenFile.toString())
            .put("started_at", startedAt.toString());
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var part = Files.createTempFile(folder, FILE_NAME, ".part", owner);
    try {
      Files.writeString(part, Json.pretty(node) + "\n");
      Files.move(
          part,
          folder.resolve(FILE_NAME),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Removes the file if it is still about this process. */
  public void remove(Path folder) throws IOException {
    if (read(folder).filter(this::equals).isPresent()) {
      Files.deleteIfExists(folder.resolve(FILE_NAME));
    }
  }
}
