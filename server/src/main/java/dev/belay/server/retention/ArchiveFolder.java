package dev.belay.server.retention;

import dev.belay.engine.port.LeaseToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A folder of compressed lines: one file for each day and process, and in it one gzip member for
 * each batch. A name contains the token of the lease under which the file was created, so replicas
 * that share the folder do not write to the same file, and the torn end that a crash leaves behind
 * stays the end of its file. Not thread-safe.
 */
public final class ArchiveFolder {

  private static final int BUFFER_BYTES = 64 << 10;

  private final Path folder;
  private final InstantSource clock;
  private @Nullable Current current;

  /** The file in use: everything up to its length is complete and on the disk. */
  private record Current(LocalDate day, Path file, long length) {}

  public ArchiveFolder(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** Creates the folder; throws when this process cannot write to it, and says what to do. */
  public static void check(Path folder) throws IOException {
    try {
      makeFolder(folder);
      // Permissions alone do not tell: the file system may be read-only.
      Files.delete(Files.createTempFile(folder, "check-", ".tmp"));
    } catch (IOException failed) {
      String why =
          switch (failed) {
            case FileAlreadyExistsException _ -> "a file has this name";
            case AccessDeniedException _ -> "this user may not write there";
            default -> String.valueOf(failed.getMessage());
          };
      throw new IOException(
          "retention-archive is %s, but %s. Name a folder that this server can write to"
              .formatted(folder, why),
          failed);
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Writes the lines of one batch; may throw UncheckedIOException. */
  @FunctionalInterface
  public interface Batch {
    void writeTo(OutputStream lines);
  }

  /** Returns when the batch is on the disk; after an exception, nothing of it is in the archive. */
  public void append(LeaseToken token, Batch batch) throws IOException {
    Current to = fileFor(token);
    try (var channel = FileChannel.open(to.file(), StandardOpenOption.WRITE)) {
      channel.truncate(to.length()).position(to.length());
      var gzip = new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
      batch.writeTo(gzip);
      gzip.finish();
      channel.force(true);
      current = new Current(to.day(), to.file(), channel.size());
    } catch (UncheckedIOException failed) {
      trim(to);
      throw failed.getCause();
    } catch (IOException | RuntimeException failed) {
      trim(to);
      throw failed;
    }
  }

  private Current fileFor(LeaseToken token) throws IOException {
    var day = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    if (current == null || !current.day().equals(day) || !isWhole(current)) {
      current = new Current(day, create("finished-%s-%d".formatted(day, token.value())), 0);
    }
    return current;
  }

  /** False when somebody has moved the file away or shortened it: it is theirs then. */
  private static boolean isWhole(Current to) throws IOException {
    try {
      return Files.size(to.file()) >= to.length();
    } catch (NoSuchFileException moved) {
      return false;
    }
  }

  /** A database restored from a backup repeats its tokens, so the name may be taken. */
  private Path create(String name) throws IOException {
    makeFolder(folder);
    for (int number = 1; ; number++) {
      Path file = folder.resolve(name + (number == 1 ? "" : "-" + number) + ".jsonl.gz");
      try (var created =
              FileChannel.open(
                  file,
                  Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                  // Work can contain secrets in its environment.
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rw-------")));
          var names = FileChannel.open(folder, StandardOpenOption.READ)) {
        created.force(true);
        names.force(true);
        return file;
      } catch (FileAlreadyExistsException taken) {
        // The next number.
      }
    }
  }

  /** The next append does this, too: here for readers, as soon as possible. */
  private static void trim(Current to) {
    try (var channel = FileChannel.open(to.file(), StandardOpenOption.WRITE)) {
      channel.truncate(to.length());
    } catch (IOException untrimmed) {
      // The failure of the batch is the one to report.
    }
  }
}
