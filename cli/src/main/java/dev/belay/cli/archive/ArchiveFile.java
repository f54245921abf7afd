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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
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
    // Only the root has none, and it exists.
    Path folder = Objects.requireNonNull(path.toAbsolutePath().normalize().getParent());
    try {
      write(folder, content);
      try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "%s appeared meanwhile, and was left as it is: does another belay archive write to it? Name another file."
              .formatted(path),
          e);
    } catch (IOException e) {
      throw failed("write", e);
    }
  }

  /** Two commands with the same file each write their own part; the first one gets the name. */
  private void write(Path folder, Content content) throws CommandFailed, IOException {
    Path part =
        Files.createTempFile(
            folder,
            path.getFileName() + ".",
            ".part",
            // Work can contain secrets in its environment.
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      fill(part, content);
      // Unlike a move, it never replaces a file.
      Files.createLink(path, part);
    } finally {
      discard(part);
    }
  }

  private static void fill(Path part, Content content) throws CommandFailed, IOException {
    try (var channel = FileChannel.open(part, StandardOpenOption.WRITE);
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
      // It may have the archive already; the user finds both names.
    }
  }

  private CommandFailed failed(String verb, IOException e) {
    return new CommandFailed(
        ExitCode.FAILED, "Cannot %s %s: %s.".formatted(verb, path, ConnectionFinder.reason(e)), e);
  }
}
