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
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the log of each dispatch: append by offset, read, follow. */
public final class LogStore {

  private static final Logger log = LoggerFactory.getLogger(LogStore.class);

  /** How many appends may run at once. */
  private static final int STRIPES = 64;

  /** How far ahead the clock behind a dispatch id may be. */
  private static final Duration SKEW_MAX = Duration.ofDays(1);

  private static final int UUID_VERSION = 7;
  private static final Set<StandardOpenOption> REPLACING =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
  private static final Set<StandardOpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private static final FileAttribute<?> OWNER_ONLY_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<?> OWNER_ONLY_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final LogFiles files;
  private final long maxBytes;
  private final Duration retention;
  private final InstantSource clock;
  private final LogDisk disk;
  private final WaitingLogs waiting;
  private final ReentrantLock[] stripes =
      Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

  /** Bounds of one store. */
  public record Bounds(long logMaxBytes, Duration retention, int dispatchesMax) {}

  public LogStore(Path folder, Bounds bounds, InstantSource clock, LogDisk disk)
      throws IOException {
    this.files = new LogFiles(Files.createDirectories(folder, OWNER_ONLY_FOLDER));
    this.maxBytes = bounds.logMaxBytes();
    this.retention = bounds.retention();
    this.clock = clock;
    this.disk = disk;
    this.waiting = new WaitingLogs(bounds.dispatchesMax());
    closeToOthers(folder);
  }

  /** An existing folder may be open to other users. */
  private static void closeToOthers(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException | UnsupportedOperationException failed) {
      log.atWarn()
          .addKeyValue("folder", folder)
          .addKeyValue("cause", failed.toString())
          .log("the folder of the logs cannot be made private; its files are");
    }
  }

  /**
   * A piece of a log, as a worker sends it.
   *
   * @param offset of its first byte
   * @param last nothing follows it
   * @param knownLength the log's current length at the worker
   * @param leftOut bytes of output that the worker left out of the log so far
   */
  public record Piece(long offset, ByteBuffer data, boolean last, long knownLength, long leftOut) {}

  /**
   * The state of a log after an append.
   *
   * @param length the next offset to send
   * @param full accepts no more: complete, at its limit, or too old
   * @param stored bytes that this piece added
   * @param refusal why the piece was not stored completely
   */
  public record Appended(long length, boolean full, long stored, Optional<LogRefusal> refusal) {
    Appended(long length, boolean full, long stored) {
      this(length, full, stored, Optional.empty());
    }

    public static Appended refused(long length, LogRefusal refusal) {
      return new Appended(length, !refusal.passes(), 0, Optional.of(refusal));
    }
  }

  /**
   * A piece of a log for a reader.
   *
   * @param data its bytes, from position to limit of an array
   * @param length of the whole log so far
   * @param complete it will not grow
   */
  public record Slice(ByteBuffer data, long length, boolean complete) {}

  /**
   * Appends the new bytes of a piece. A repeated piece changes nothing, and one that would leave a
   * gap is ignored. The caller has verified that the writer owns the log.
   *
   * @param allowedBytes limit of this log, if lower than that of any log
   */
  public Appended append(DispatchId dispatch, Piece piece, long allowedBytes) {
    if (piece.offset() < 0) {
      return Appended.refused(0, LogRefusal.MALFORMED);
    }
    if (!isKept(dispatch)) {
      return Appended.refused(0, LogRefusal.TOO_OLD);
    }
    var stripe = stripe(dispatch);
    stripe.lock();
    try {
      var appended = appendLocked(dispatch, piece, Math.min(allowedBytes, maxBytes));
      if (appended.refusal().isPresent()) {
        waiting.put(dispatch, piece.knownLength(), appended);
      } else {
        waiting.remove(dispatch);
      }
      return appended;
    } finally {
      stripe.unlock();
    }
  }

  private Appended appendLocked(DispatchId dispatch, Piece piece, long allowedBytes) {
    var open = files.part(dispatch);
    var before = 0L;
    try {
      var complete = files.complete(dispatch);
      if (Files.exists(complete)) {
        return new Appended(Files.size(complete), true, 0);
      }
      before = Files.exists(open) ? Files.size(open) : 0;
      var refusal = disk.refusal(LogDisk.taken(piece.data().remaining()));
      if (refusal.isPresent()) {
        disk.refused(refusal.get(), "");
        return Appended.refused(before, refusal.get());
      }
      return appendOpen(dispatch, piece, allowedBytes);
    } catch (IOException failed) {
      var refusal = disk.failed(failed, piece.data().remaining());
      return Appended.refused(LogFiles.lengthOr(open, before), refusal);
    }
  }

  private Appended appendOpen(DispatchId dispatch, Piece piece, long allowedBytes)
      throws IOException {
    var data = piece.data().slice();
    var part = files.part(dispatch);
    Files.createDirectories(files.day(dispatch), OWNER_ONLY_FOLDER);
    try (var file = FileChannel.open(part, APPENDING, OWNER_ONLY_FILE)) {
      var length = file.size();
      if (piece.offset() > length) {
        return new Appended(length, false, 0);
      }
      data.position((int) Math.min(data.limit(), length - piece.offset()));
      var overflows = data.remaining() > allowedBytes - length;
      if (overflows) {
        data.limit(data.position() + (int) Math.max(0, allowedBytes - length));
      }
      var end = overflows || piece.last();
      if (piece.leftOut() > 0) {
        note(files.leftOut(dispatch), piece.leftOut());
      }
      write(file, data);
      if (overflows) {
        write(file, ByteBuffer.wrap(note(allowedBytes)));
      }
      if (end) {
        Files.move(part, files.complete(dispatch), StandardCopyOption.ATOMIC_MOVE);
      }
      var now = file.size();
      disk.stored(length, now);
      return new Appended(now, end, now - length);
    }
  }

  private static void note(Path path, long bytes) throws IOException {
    try (var file = FileChannel.open(path, REPLACING, OWNER_ONLY_FILE)) {
      write(file, StandardCharsets.UTF_8.encode(Long.toString(bytes)));
    }
  }

  /**
   * The bytes that a reader of the log does not see.
   *
   * @param leftOut bytes that the worker left out, marked in the text
   * @param notHere bytes that the worker has and this server lacks
   * @param why they are not here; empty when no bytes are known to be missing
   */
  public record Missing(long leftOut, long notHere, Optional<LogRefusal> why) {
    public long bytes() {
      return leftOut + notHere;
    }
  }

  public Missing missing(DispatchId dispatch) {
    long left;
    try {
      left = Long.parseLong(Files.readString(files.leftOut(dispatch)).strip());
    } catch (IOException | NumberFormatException none) {
      left = 0;
    }
    if (Files.exists(files.complete(dispatch))) {
      return new Missing(left, 0, Optional.empty());
    }
    var held = waiting.find(dispatch);
    if (held.isPresent()) {
      return new Missing(left, held.get().missing(), Optional.of(held.get().why()));
    }
    // Another replica may have refused it.
    return new Missing(left, 0, disk.trouble());
  }

  /** At most {@code max} bytes from {@code offset}; empty when nothing was logged. */
  public Optional<Slice> read(DispatchId dispatch, long offset, int max) throws IOException {
    // In this order, one of the last two finds a file that is renamed meanwhile.
    for (var path :
        new Path[] {files.complete(dispatch), files.part(dispatch), files.complete(dispatch)}) {
      try (var file = FileChannel.open(path, StandardOpenOption.READ)) {
        var length = file.size();
        var data = ByteBuffer.allocate(Math.clamp(length - offset, 0, max));
        while (data.hasRemaining() && file.read(data, offset + data.position()) >= 0) {}
        return Optional.of(new Slice(data.flip(), length, path.equals(files.complete(dispatch))));
      } catch (NoSuchFileException e) {
        // It is at the next path or does not exist.
      }
    }
    return Optional.empty();
  }

  /** Bytes stored so far; 0 when nothing was logged. */
  public long length(DispatchId dispatch) throws IOException {
    return read(dispatch, 0, 0).map(Slice::length).orElse(0L);
  }

  public LogDisk disk() {
    return disk;
  }

  /** Deletes expired and excess logs. */
  public LogRetention cleaning() {
    return new LogRetention(files, disk, retention, clock, this::stripe);
  }

  private ReentrantLock stripe(DispatchId dispatch) {
    return stripes[Math.floorMod(dispatch.hashCode(), STRIPES)];
  }

  /** An id that Belay cannot have created, or created too long ago, gets no file. */
  private boolean isKept(DispatchId dispatch) {
    var made = LogFiles.madeAt(dispatch);
    var now = clock.instant();
    return dispatch.value().version() == UUID_VERSION
        && made.isAfter(now.minus(retention))
        && made.isBefore(now.plus(SKEW_MAX));
  }

  private byte[] note(long allowedBytes) {
    var whose =
        allowedBytes < maxBytes ? "the logs of this task reached" : "the log reached its limit of";
    var limit = allowedBytes < maxBytes ? "their limit" : maxBytes + " bytes";
    return ("\n[belay: " + whose + " " + limit + "; the rest is not kept]\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void write(FileChannel file, ByteBuffer data) throws IOException {
    while (data.hasRemaining()) {
      file.write(data);
    }
  }
}
