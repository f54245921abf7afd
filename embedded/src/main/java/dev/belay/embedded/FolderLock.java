package dev.belay.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The OS lock that makes this JVM the only owner of a data folder. */
final class FolderLock implements AutoCloseable {
  /**
   * Folders owned by this JVM, checked before the file is opened: POSIX frees a process's lock when
   * it closes any descriptor of the file, so a refused second attempt would free the first.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;

  private FolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  static FolderLock take(Path folder) throws EmbeddedPostgresFailed, IOException {
    if (!HERE.add(folder)) {
      throw inUse(folder, "this process (pid " + ProcessHandle.current().pid() + ")");
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      Path file = folder.resolve("belay.lock");
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, "the process with pid " + Files.readString(file).strip());
      }
      String pid = ProcessHandle.current().pid() + "\n";
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      taken = true;
      return new FolderLock(folder, channel);
    } finally {
      if (!taken) {
        free(folder, channel);
      }
    }
  }

  private static EmbeddedPostgresFailed inUse(Path folder, String holder) {
    return new EmbeddedPostgresFailed(
        "The data folder "
            + folder
            + " is in use by "
            + holder
            + ". Stop it, or use another folder.");
  }

  private static void free(Path folder, @Nullable FileChannel channel) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      HERE.remove(folder);
    }
  }

  @Override
  public void close() throws IOException {
    free(folder, channel);
  }
}
