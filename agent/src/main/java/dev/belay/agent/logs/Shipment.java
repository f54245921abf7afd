package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.agent.logs.SpoolFiles.Lost;
import dev.belay.agent.logs.SpoolFiles.Segment;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.log.LogMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How far one log has come; guarded by the shipper's monitor. */
final class Shipment {

  final SpoolFiles files;
  final DispatchId dispatch;
  final CompletableFuture<Void> shipped = new CompletableFuture<>();

  private final List<Part> parts = new ArrayList<>();
  private Optional<Lost> lost = Optional.empty();

  /** Bytes that may be sent: those of all parts. */
  long length;

  /** Bytes in all its files. */
  long diskBytes;

  /** Bytes of output that marks in the log stand for. */
  long leftOut;

  /** Bytes of output that this agent could not write to its disk. */
  long unwritten;

  /** Bytes that the server has; the next chunk begins here. */
  long acked;

  long sentEnd;
  boolean sentLast;
  boolean underWay;
  int fruitless;

  /** Tries in a row to read it that failed. */
  int unread;

  /** The server took chunks of it and stored nothing: only a mark is still to be sent. */
  boolean notStored;

  /** Why the server could not store the last chunk; empty when it did. */
  String refused = "";

  /** Nothing more will be written. */
  boolean closed;

  /** Nothing more will be sent. */
  boolean over;

  boolean settled;

  Shipment(SpoolFiles files) {
    this.files = files;
    this.dispatch = files.dispatch();
  }

  /** The beginning of the log is so long now. */
  void headGrew(long headLength) {
    parts.clear();
    parts.add(new Part.InFile(files.head(), headLength));
    length = headLength;
  }

  /**
   * Nothing more will be written: the end can follow the beginning.
   *
   * @param unmarked bytes that could not be written, with no mark of it in the files
   */
  void close(List<Segment> segments, long unmarked) {
    closed = true;
    long at = length;
    for (Segment segment : segments) {
      if (segment.start() > at) {
        mark(LogMark.leftOut(segment.start() - at));
        leftOut += segment.start() - at;
      }
      add(new Part.InFile(segment.file(), segment.length()));
      at = segment.start() + segment.length();
    }
    if (unmarked > 0) {
      mark(LogMark.lost(unmarked, LogSpool.DISK_FULL));
    }
    leftOut += unwritten;
  }

  /** What the server does not have is given up; a mark goes there instead. */
  Lost lose(String why) {
    var gone = new Lost(acked, length - acked, why);
    lose(gone);
    return gone;
  }

  void lose(Lost gone) {
    closed = true;
    lost = Optional.of(gone);
    leftOut += gone.missing();
    diskBytes = 0;
    acked = gone.kept();
    length = 0;
    parts.clear();
    add(new Part.Gone(gone.kept()));
    // What the server has may end within a line.
    mark((gone.kept() > 0 ? "\n" : "") + LogMark.missing(gone.missing(), gone.why()));
  }

  /** The server has less of it than it had: the mark must say so, and begin there. */
  void moveMark(long serverLength) {
    lost.filter(gone -> serverLength < gone.kept())
        .ifPresent(
            gone -> {
              leftOut -= gone.missing();
              long missing = gone.missing() + gone.kept() - serverLength;
              lose(new Lost(serverLength, missing, gone.why()));
            });
  }

  boolean isLost() {
    return lost.isPresent();
  }

  private void mark(String text) {
    add(new Part.Text(text.getBytes(UTF_8)));
  }

  private void add(Part part) {
    parts.add(part);
    length += part.length();
  }

  /** So many bytes from where the server's copy ends. */
  ByteBuffer read(int size) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(size);
    long begin = 0;
    for (Part part : parts) {
      long at = acked + data.position() - begin;
      int here = (int) Math.min(data.capacity() - data.position(), part.length() - at);
      if (here > 0) {
        part.read(at, data.limit(data.position() + here));
      }
      begin += part.length();
    }
    return data.limit(size).flip();
  }
}
