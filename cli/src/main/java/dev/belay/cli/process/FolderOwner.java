package dev.belay.cli.process;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The one process that uses a data folder. The kernel frees the lock when the process dies. */
final class FolderOwner implements AutoCloseable {

  private static final String NAME = "lite.lock";
  private static final int PID_MAX_BYTES = 32;

  private final FileChannel channel;
  private final FileLock lock;

  private FolderOwner(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  static Path file(Path folder) {
    return folder.resolve(NAME);
  }

  static FolderOwner take(Path folder) throws CommandFailed {
    var file = file(folder);
    try {
      var channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      var lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "The folder %s is in use by another belay lite (process %s). Use that one, stop it, or choose another folder with --dir."
                .formatted(folder, pid(file)));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)),
          0);
      return new FolderOwner(channel, lock);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "Cannot lock %s: %s. Choose another folder with --dir.".formatted(file, e.getMessage()),
          e);
    }
  }

  private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel)
      throws IOException {
    try {
      return channel.tryLock();
    } catch (java.nio.channels.OverlappingFileLockException e) {
      // This same process holds it.
      return null;
    }
  }

  private static String pid(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(PID_MAX_BYTES), StandardCharsets.US_ASCII).strip();
      return text.matches("\\d+") ? text : "unknown";
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
    channel.close();
  }
}
