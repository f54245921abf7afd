package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes expired logs, and the oldest ones when all together take too much space. */
public final class LogRetention {

  private static final Logger log = LoggerFactory.getLogger(LogRetention.class);

  /** The newest logs stay, however crowded the disk is: people may be reading them. */
  private static final Duration KEPT_MIN = Duration.ofHours(1);

  /** A worker that has not ended a log for this long may never do so. */
  private static final Duration UNFINISHED_IDLE_MIN = Duration.ofHours(1);

  private final LogFiles files;
  private final LogDisk disk;
  private final Duration retention;
  private final InstantSource clock;
  private final Function<DispatchId, Lock> appends;

  /**
   * @param appends the locks that appends to logs hold
   */
  LogRetention(
      LogFiles files,
      LogDisk disk,
      Duration retention,
      InstantSource clock,
      Function<DispatchId, Lock> appends) {
    this.files = files;
    this.disk = disk;
    this.retention = retention;
    this.clock = clock;
    this.appends = appends;
  }

  /** Deletes the folders of days older than the retention; returns how many. */
  public int sweep(Instant now) throws IOException {
    var swept = 0;
    try (var days = Files.newDirectoryStream(files.folder(), Files::isDirectory)) {
      for (var path : days) {
        if (isOver(path, now)) {
          delete(path);
          swept++;
        }
      }
    }
    if (swept > 0) {
      log.atInfo().addKeyValue("folders", swept).log("old logs deleted");
    }
    return swept;
  }

  /** Measures the space of all logs. */
  public void measure() throws IOException {
    var total = 0L;
    for (var day : files.days()) {
      try (var logs = Files.newDirectoryStream(day)) {
        for (var file : logs) {
          total += LogDisk.taken(LogFiles.lengthOr(file, 0));
        }
      }
    }
    disk.measured(total);
  }

  /**
   * Deletes the oldest logs while there is little room for new ones; returns how many. An
   * unfinished log that grew recently stays. A worker sends a deleted one again from the beginning.
   */
  public int makeRoom() throws IOException {
    var youngest = clock.instant().minus(KEPT_MIN);
    var removed = 0;
    for (var day : disk.isCrowded() ? files.days() : List.<Path>of()) {
      for (var file : LogFiles.logs(day)) {
        var dispatch = LogFiles.dispatchOf(file);
        if (!disk.isCrowded() || LogFiles.madeAt(dispatch).isAfter(youngest)) {
          return told(removed);
        }
        removed += remove(file, dispatch) ? 1 : 0;
      }
    }
    return told(removed);
  }

  private boolean remove(Path file, DispatchId dispatch) throws IOException {
    var lock = appends.apply(dispatch);
    lock.lock();
    try {
      if (!LogFiles.isComplete(file) && !isIdle(file)) {
        return false;
      }
      var length = LogFiles.lengthOr(file, 0);
      Files.deleteIfExists(files.leftOut(dispatch));
      if (!Files.deleteIfExists(file)) {
        return false;
      }
      disk.removed(length);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isIdle(Path unfinished) {
    try {
      var grew = Files.getLastModifiedTime(unfinished).toInstant();
      return grew.isBefore(clock.instant().minus(UNFINISHED_IDLE_MIN));
    } catch (IOException gone) {
      // Complete by now, or deleted.
      return false;
    }
  }

  private int told(int removed) {
    if (removed > 0) {
      log.atWarn()
          .addKeyValue("logs", removed)
          .addKeyValue("bytes_left", disk.used())
          .log("oldest logs deleted before their time, to make room");
    }
    return removed;
  }

  private boolean isOver(Path path, Instant now) {
    try {
      var day = LocalDate.parse(path.getFileName().toString());
      return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(retention).isBefore(now);
    } catch (DateTimeParseException e) {
      // Not a folder of ours.
      return false;
    }
  }

  private static void delete(Path day) throws IOException {
    try (var logs = Files.newDirectoryStream(day)) {
      for (var file : logs) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(day);
  }
}
