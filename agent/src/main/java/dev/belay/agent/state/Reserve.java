package dev.belay.agent.state;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Space and descriptors that are kept back while there are plenty, and given to the journal when
 * there are none, so that the ends of what runs can be recorded on a full disk. While something is
 * lacking this agent is in trouble: it takes no work. {@link #look} ends the trouble when there is
 * room again, and the reserve is whole.
 *
 * <p>The space is a file of written blocks. Whoever else fills the disk may take what is set free;
 * the journal then goes on without, and nothing new starts.
 */
public final class Reserve implements Room, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Reserve.class);

  private static final String DISK_FULL = "disk full";
  private static final int BLOCK_BYTES = 64 * 1024;

  private final Path folder;
  private final Path file;
  private final ReserveSettings settings;
  private final List<Closeable> descriptors = new ArrayList<>();
  private boolean spaceHeld;
  private volatile boolean scarce;
  private @Nullable String failure;
  private Optional<String> trouble = Optional.empty();

  private Reserve(Path folder, ReserveSettings settings) {
    this.folder = folder;
    this.file = folder.resolve("reserve");
    this.settings = settings;
  }

  /** Keeps back what there is; that it is not enough is told by {@link #trouble}. */
  public static Reserve open(AgentFolder folder, ReserveSettings settings) {
    Reserve reserve = new Reserve(folder.path(), settings);
    reserve.spaceHeld =
        Files.isRegularFile(reserve.file)
            && reserve.file.toFile().length() == settings.spaceBytes();
    reserve.look();
    return reserve;
  }

  /** A full disk must not keep the agent from starting: what an earlier one kept back is for it. */
  static void releaseLeftover(Path folder, ReserveSettings settings) throws IOException {
    if (folder.toFile().getUsableSpace() < settings.freeMinBytes()) {
      Files.deleteIfExists(folder.resolve("reserve"));
    }
  }

  /** Why no work is taken; empty when all is well. As of the last look or failure. */
  public synchronized Optional<String> trouble() {
    return trouble;
  }

  /** Looks how things are and makes the reserve whole again; may write to the disk. */
  public synchronized Optional<String> look() {
    holdDescriptors();
    boolean writable = isSpaceHeld() || isWritable();
    long free = folder.toFile().getUsableSpace();
    // what is held is written again, not once more
    long needed = settings.freeMinBytes() + (spaceHeld ? 0 : settings.spaceBytes());
    if (writable && !isSpaceHeld() && free >= needed) {
      holdSpace();
    }
    scarce = failure != null && !spaceHeld;
    Optional<String> before = trouble;
    trouble = describe(free);
    if (!trouble.equals(before)) {
      trouble.ifPresentOrElse(
          what -> log.atWarn().addKeyValue("trouble", what).log("this worker takes no work"),
          () -> log.atInfo().log("this worker takes work again"));
    }
    return trouble;
  }

  /** Makes a new file and removes it: there may be space, and no inodes. */
  private boolean isWritable() {
    Path probe = folder.resolve("probe");
    try {
      Files.deleteIfExists(probe);
      PrivateFile.open(probe, CREATE_NEW, WRITE).close();
      Files.delete(probe);
      return true;
    } catch (IOException e) {
      if (!isOfDescriptors(e)) {
        failure = reason(e);
      }
      return false;
    }
  }

  private Optional<String> describe(long free) {
    if (free < settings.freeMinBytes()) {
      // without the number: what changes each second would be a new trouble each second
      return Optional.of(
          "disk full: less than %d MiB free in %s"
              .formatted(settings.freeMinBytes() >> 20, folder));
    }
    if (failure != null) {
      return Optional.of(
          failure.equals(DISK_FULL)
              ? "disk full: no space or no inodes in %s".formatted(folder)
              : "cannot write %s: %s".formatted(folder, failure));
    }
    if (!isSpaceHeld()) {
      return Optional.of(
          "disk full: no %d MiB to keep back in %s".formatted(settings.spaceBytes() >> 20, folder));
    }
    return descriptors.size() < settings.descriptors()
        ? Optional.of("too many open files in the agent's process")
        : Optional.empty();
  }

  /** Also with nothing to keep back, the file is made: it shows that the disk can be written. */
  private boolean isSpaceHeld() {
    return failure == null && spaceHeld;
  }

  /**
   * Not for the journal, but a sign: until a look says otherwise no work is taken. What is not of
   * the disk, such as a process that could not be made, says nothing about it.
   */
  public synchronized void note(Throwable cause) {
    if (isOfDescriptors(cause)) {
      releaseDescriptors();
      look();
    } else if (isOfDisk(cause)) {
      unwritable(reason(cause));
    }
  }

  /** What had to be written could not be: until a look says otherwise no work is taken. */
  public synchronized void unwritable(String why) {
    failure = why;
    look();
  }

  @Override
  public synchronized boolean make(IOException cause) {
    if (isOfDescriptors(cause)) {
      boolean had = !descriptors.isEmpty();
      releaseDescriptors();
      trouble = describe(folder.toFile().getUsableSpace());
      return had;
    }
    boolean had = spaceHeld;
    failure = reason(cause);
    releaseSpace();
    scarce = true;
    trouble = describe(folder.toFile().getUsableSpace());
    if (had) {
      log.atWarn().addKeyValue("cause", failure).log("the space that was kept back is used");
    }
    return had;
  }

  /** Without the lock: whoever drains the output of tasks must not wait for a slow disk. */
  @Override
  public boolean isScarce() {
    return scarce;
  }

  /** As people know it. */
  public static String reason(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("No space left") || message.contains("quota")
        ? DISK_FULL
        : message.isBlank() ? cause.toString() : message;
  }

  private static boolean isOfDisk(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return cause instanceof FileSystemException
        || reason(cause).equals(DISK_FULL)
        || message.contains("Input/output error")
        || message.contains("Read-only file system");
  }

  private static boolean isOfDescriptors(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("Too many open files") || message.contains("errno 24");
  }

  private void holdSpace() {
    try (FileChannel out = PrivateFile.open(file, CREATE, WRITE, TRUNCATE_EXISTING)) {
      byte[] block = new byte[BLOCK_BYTES];
      for (long written = 0; written < settings.spaceBytes(); ) {
        // Not zeros, and not twice the same: some file systems keep no blocks for those.
        block[0] = (byte) (written >> 16);
        block[1] = (byte) (written >> 24);
        block[2] = 1;
        int length = (int) Math.min(BLOCK_BYTES, settings.spaceBytes() - written);
        ByteBuffer rest = ByteBuffer.wrap(block, 0, length);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
        written += length;
      }
      out.force(true);
      spaceHeld = true;
      failure = null;
    } catch (IOException e) {
      releaseSpace();
      failure = reason(e);
    }
  }

  private void releaseSpace() {
    spaceHeld = false;
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the space that was kept back cannot be freed");
    }
  }

  private void holdDescriptors() {
    try {
      while (descriptors.size() < settings.descriptors()) {
        descriptors.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException tooMany) {
      // The few that were had are as good as none: give them back to those who need one now.
      releaseDescriptors();
    }
  }

  private void releaseDescriptors() {
    for (Closeable one : descriptors) {
      try {
        one.close();
      } catch (IOException e) {
        log.atDebug().setCause(e).log("descriptor not closed");
      }
    }
    descriptors.clear();
  }

  /** The file stays: the next agent keeps it back from its first moment on. */
  @Override
  public synchronized void close() {
    releaseDescriptors();
  }
}
