package dev.belay.server.logs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the space for logs. It refuses before the disk is full, so other users of the disk keep
 * working, and logs a complaint at most once a minute. Any thread.
 */
public final class LogDisk {

  private static final Logger log = LoggerFactory.getLogger(LogDisk.class);
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long COMPLAIN_NANOS = Duration.ofMinutes(1).toNanos();

  /** On a small disk, logs leave this fraction free rather than a fixed size. */
  private static final int FREE_SHARE = 10;

  private static final long BLOCK = 4096;

  private final Path folder;
  private final long maxBytes;
  private final long freeBytes;
  private final LongSupplier ticker;

  private long used;
  private long spare;
  private long lookedAt;
  private boolean looked;
  private long failedAt;
  private boolean failed;
  private long complainedAt;
  private boolean complained;
  private long refusedSince;
  private boolean refusing;

  /**
   * @param maxBytes limit of all logs
   * @param freeBytes kept free, or a tenth of the disk where that is less
   * @param ticker monotonic nanoseconds
   */
  public LogDisk(Path folder, long maxBytes, long freeBytes, LongSupplier ticker) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.freeBytes = freeBytes;
    this.ticker = ticker;
  }

  /** Empty when this many bytes may be written. */
  synchronized Optional<LogRefusal> refusal(long bytes) {
    long now = ticker.getAsLong();
    if (failed && now - failedAt < LOOK_NANOS) {
      return Optional.of(bytes > spare ? LogRefusal.DISK_FULL : LogRefusal.DISK_ERROR);
    }
    if (!looked || now - lookedAt >= LOOK_NANOS) {
      look(now);
    }
    if (bytes > spare) {
      return Optional.of(LogRefusal.DISK_FULL);
    }
    return used + bytes > maxBytes ? Optional.of(LogRefusal.LOGS_MAX) : Optional.empty();
  }

  private void look(long now) {
    looked = true;
    lookedAt = now;
    try {
      var store = Files.getFileStore(folder);
      spare = store.getUsableSpace() - Math.min(freeBytes, store.getTotalSpace() / FREE_SHARE);
    } catch (IOException unknown) {
      // The next write will show the fault.
      spare = Long.MAX_VALUE;
    }
  }

  /** A file grew. */
  synchronized void stored(long from, long to) {
    spare -= to - from;
    used += taken(to) - taken(from);
    failed = false;
    if (refusing && to > from) {
      refusing = false;
      log.atInfo().addKeyValue("folder", folder).log("logs are stored again");
    }
  }

  /** The disk refused a write although it seemed to have room. */
  synchronized LogRefusal failed(IOException cause, long bytes) {
    long now = ticker.getAsLong();
    failed = true;
    failedAt = now;
    look(now);
    String text = String.valueOf(cause.getMessage());
    var refusal =
        bytes > spare || text.contains("No space left") || text.contains("quota")
            ? LogRefusal.DISK_FULL
            : LogRefusal.DISK_ERROR;
    if (refusal == LogRefusal.DISK_FULL) {
      spare = Math.min(spare, 0);
    }
    refused(refusal, text);
    return refusal;
  }

  synchronized void refused(LogRefusal refusal, String cause) {
    refusing = true;
    refusedSince++;
    long now = ticker.getAsLong();
    if (complained && now - complainedAt < COMPLAIN_NANOS) {
      return;
    }
    complained = true;
    complainedAt = now;
    log.atWarn()
        .addKeyValue("reason", refusal.word())
        .addKeyValue("folder", folder)
        .addKeyValue("cause", cause)
        .addKeyValue("pieces", refusedSince)
        .log("logs of tasks are not stored; workers keep them and try again");
    refusedSince = 0;
  }

  synchronized void measured(long bytes) {
    used = bytes;
  }

  synchronized void removed(long fileBytes) {
    used = Math.max(0, used - taken(fileBytes));
    spare += fileBytes;
  }

  /** Old logs should be deleted to make room for new ones. */
  synchronized boolean isCrowded() {
    long now = ticker.getAsLong();
    if (!looked || now - lookedAt >= LOOK_NANOS) {
      look(now);
    }
    return used > maxBytes - maxBytes / FREE_SHARE || (used > 0 && spare < freeBytes / FREE_SHARE);
  }

  /** The current fault, as of the last write or look. */
  synchronized Optional<LogRefusal> trouble() {
    return refusing ? refusal(1) : Optional.empty();
  }

  public synchronized long used() {
    return used;
  }

  public synchronized boolean isRefusing() {
    return refusing;
  }

  /** The space that a file of this length takes on most disks. */
  static long taken(long length) {
    return (length + BLOCK - 1) / BLOCK * BLOCK;
  }
}
