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
 * Disk space and descriptors that the agent keeps back and gives to the journal when there are no
 * more, so it can record ends on a full disk. While anything is short, this agent is in trouble: it
 * takes no work. {@link #look} ends the trouble when there is room again and the reserve is whole.
 *
 * <p>The space is a file of written blocks. Another process that fills the disk may take the freed
 * space; then the journal cannot be written and nothing new starts.
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

  /** Keeps back as much as there is; {@link #trouble} reports a shortage. */
  public static Reserve open(AgentFolder folder, ReserveSettings settings) {
    Reserve reserve = new Reserve(folder.path(), settings);
    reserve.spaceHeld =
        Files.isRegularFile(reserve.file)
            && reserve.file.toFile().length() == settings.spaceBytes();
    reserve.look();
    return reserve;
  }

  /** A full disk must not keep the agent from starting, so it uses an earlier agent's reserve. */
  static void releaseLeftover(Path folder, ReserveSettings settings) throws IOException {
    if (folder.toFile().getUsableSpace() < settings.freeMinBytes()) {
      Files.deleteIfExists(folder.resolve("reserve"));
    }
  }

  /** Why the agent takes no work; empty when all is well. As of the last look or failure. */
  public synchronized Optional<String> trouble() {
    return trouble;
  }

  /** Checks the disk and refills the reserve; may write to the disk. */
  public synchronized Optional<String> look() {
    holdDescriptors();
    boolean writable = isSpaceHeld() || isWritable();
    long free = folder.toFile().getUsableSpace();
    // Held space is rewritten in place, so it needs no more.
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

  /** Creates a file and removes it: there may be space but no inodes. */
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
      // Without the number: a value that changes each second would be new trouble each second.
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

  /** True also for a reserve of 0 bytes: its file shows that the disk is writable. */
  private boolean isSpaceHeld() {
    return failure == null && spaceHeld;
  }

  /**
   * Records a failure outside the journal: the agent takes no work until a look finds room. Ignores
   * failures that do not concern the disk, such as a process that could not be created.
   */
  public synchronized void note(Throwable cause) {
    if (isOfDescriptors(cause)) {
      releaseDescriptors();
      look();
    } else if (isOfDisk(cause)) {
      unwritable(reason(cause));
    }
  }

  /** A necessary write failed: the agent takes no work until a look finds room. */
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

  /** Takes no lock: the thread that reads task output must not wait for a slow disk. */
  @Override
  public boolean isScarce() {
    return scarce;
  }

  /** The reason in words that people know. */
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
        // Neither zeros nor repeated blocks: some file systems store no blocks for those.
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
      // A partial reserve is useless, so free the descriptors for immediate needs.
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

  /** The file stays, so the next agent has a reserve from the start. */
  @Override
  public synchronized void close() {
    releaseDescriptors();
  }
}
