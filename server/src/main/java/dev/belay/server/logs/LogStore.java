package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the log of each dispatch: append by offset, read, follow, forget. */
public final class LogStore {

  private static final Logger log = LoggerFactory.getLogger(LogStore.class);

  /** Appends that may run at once. */
  private static final int STRIPES = 64;

  /** How far in the future the clock that made a dispatch id may be. */
  private static final Duration SKEW_MAX = Duration.ofDays(1);

  private static final int UUID_VERSION = 7;

  private final Path folder;
  private final long maxBytes;
  private final Duration retention;
  private final InstantSource clock;
  private final ReentrantLock[] stripes =
      Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

  /**
   * @param maxBytes most bytes kept of one dispatch, before the note that says so
   * @param retention how long a log is kept after its dispatch
   */
  public LogStore(Path folder, long maxBytes, Duration retention, InstantSource clock)
      throws IOException {
    this.folder = Files.createDirectories(folder);
    this.maxBytes = maxBytes;
    this.retention = retention;
    this.clock = clock;
  }

  /**
   * What is stored after an append.
   *
   * @param length the offset of what is wanted next
   * @param full nothing more is wanted: complete, at its limit, or too old
   */
  public record Appended(long length, boolean full) {}

  /**
   * A piece of a log.
   *
   * @param data its bytes, from position to limit of an array
   * @param length of the whole log so far
   * @param complete it will not grow any more
   */
  public record Slice(ByteBuffer data, long length, boolean complete) {}

  /**
   * Appends what is new of {@code data}, which begins at {@code offset} of the log: a repeated
   * chunk changes nothing, and one that would leave a gap is ignored.
   *
   * @param last nothing follows it
   */
  public Appended append(DispatchId dispatch, long offset, ByteBuffer data, boolean last)
      throws IOException {
    if (offset < 0 || !isKept(dispatch)) {
      return new Appended(0, true);
    }
    var stripe = stripes[Math.floorMod(dispatch.hashCode(), STRIPES)];
    stripe.lock();
    try {
      var complete = complete(dispatch);
      if (Files.exists(complete)) {
        return new Appended(Files.size(complete), true);
      }
      return appendOpen(dispatch, offset, data.slice(), last);
    } finally {
      stripe.unlock();
    }
  }

  private Appended appendOpen(DispatchId dispatch, long offset, ByteBuffer data, boolean last)
      throws IOException {
    var part = part(dispatch);
    Files.createDirectories(day(dispatch));
    try (var file =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      var length = file.size();
      if (offset > length) {
        return new Appended(length, false);
      }
      data.position((int) Math.min(data.limit(), length - offset));
      var overflows = data.remaining() > maxBytes - length;
      if (overflows) {
        data.limit(data.position() + (int) Math.max(0, maxBytes - length));
      }
      write(file, data);
      if (overflows) {
        write(file, ByteBuffer.wrap(note()));
      }
      if (overflows || last) {
        Files.move(part, complete(dispatch), StandardCopyOption.ATOMIC_MOVE);
      }
      return new Appended(file.size(), overflows || last);
    }
  }

  /** At most {@code max} bytes from {@code offset}; empty when nothing was ever logged. */
  public Optional<Slice> read(DispatchId dispatch, long offset, int max) throws IOException {
    // Looked for in this order, a file that is renamed meanwhile is found by one of the last two.
    for (var path : new Path[] {complete(dispatch), part(dispatch), complete(dispatch)}) {
      try (var file = FileChannel.open(path, StandardOpenOption.READ)) {
        var length = file.size();
        var data = ByteBuffer.allocate(Math.clamp(length - offset, 0, max));
        while (data.hasRemaining() && file.read(data, offset + data.position()) >= 0) {}
        return Optional.of(new Slice(data.flip(), length, path.equals(complete(dispatch))));
      } catch (NoSuchFileException e) {
        // It is at the next place, or nowhere.
      }
    }
    return Optional.empty();
  }

  /** Bytes stored so far; 0 when nothing was ever logged. */
  public long length(DispatchId dispatch) throws IOException {
    return read(dispatch, 0, 0).map(Slice::length).orElse(0L);
  }

  /** Deletes the folders of days that are over for longer than the retention; returns how many. */
  public int sweep(Instant now) throws IOException {
    var swept = 0;
    try (var days = Files.newDirectoryStream(folder, Files::isDirectory)) {
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
    try (var files = Files.newDirectoryStream(day)) {
      for (var file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(day);
  }

  /** An id that we cannot have made, or made too long ago, gets no file. */
  private boolean isKept(DispatchId dispatch) {
    var made = madeAt(dispatch);
    var now = clock.instant();
    return dispatch.value().version() == UUID_VERSION
        && made.isAfter(now.minus(retention))
        && made.isBefore(now.plus(SKEW_MAX));
  }

  private byte[] note() {
    return ("\n[belay: the log reached its limit of "
            + maxBytes
            + " bytes; the rest is not kept]\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void write(FileChannel file, ByteBuffer data) throws IOException {
    while (data.hasRemaining()) {
      file.write(data);
    }
  }

  private Path part(DispatchId dispatch) {
    return day(dispatch).resolve(dispatch.value() + ".part");
  }

  private Path complete(DispatchId dispatch) {
    return day(dispatch).resolve(dispatch.value() + ".log");
  }

  private Path day(DispatchId dispatch) {
    return folder.resolve(LocalDate.ofInstant(madeAt(dispatch), ZoneOffset.UTC).toString());
  }

  private static Instant madeAt(DispatchId dispatch) {
    return Instant.ofEpochMilli(dispatch.value().getMostSignificantBits() >>> 16);
  }
}
