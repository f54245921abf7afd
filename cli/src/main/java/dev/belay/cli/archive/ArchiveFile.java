package dev.belay.cli.archive;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A file of compressed lines, which exists only when it is complete and on the disk. */
record ArchiveFile(Path path) {

  private static final int BUFFER_BYTES = 64 << 10;

  /** Writes the content. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream lines) throws CommandFailed, IOException;
  }

  /** Reads the lines one by one. */
  @FunctionalInterface
  interface Reader {
    void line(String line) throws CommandFailed, IOException;
  }

  boolean exists() {
    return Files.exists(path);
  }

  long bytes() throws CommandFailed {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw failed("read", e);
    }
  }

  /** Creates the file under its name when all of it is on the disk; else leaves nothing. */
  void write(Content content) throws CommandFailed {
    Path folder = path.toAbsolutePath().normalize().getParent();
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try {
      write(part, content);
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
      try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    } catch (IOException e) {
      throw failed("write", e);
    } finally {
      discard(part);
    }
  }

  private static void write(Path part, Content content) throws CommandFailed, IOException {
    Files.deleteIfExists(part);
    try (var channel =
            FileChannel.open(
                part,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                // Work can contain secrets in its environment.
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        var gzip = new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
      content.writeTo(gzip);
      gzip.finish();
      channel.force(true);
    }
  }

  void read(Reader reader) throws CommandFailed {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path), BUFFER_BYTES),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        reader.line(line);
      }
    } catch (IOException e) {
      throw failed("read", e);
    }
  }

  private static void discard(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // The next archive with this name replaces it.
    }
  }

  private CommandFailed failed(String verb, IOException e) {
    return new CommandFailed(
        ExitCode.FAILED, "Cannot %s %s: %s.".formatted(verb, path, ConnectionFinder.reason(e)), e);
  }
}
