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

/** The shipping progress of one log. The shipper's monitor guards it. */
final class Shipment {

  final SpoolFiles files;
  final DispatchId dispatch;
  final CompletableFuture<Void> shipped = new CompletableFuture<>();

  private final List<Part> parts = new ArrayList<>();
  private Optional<Lost> lost = Optional.empty();

  /** Bytes of all parts, which may be sent. */
  long length;

  /** Bytes in all its files. */
  long diskBytes;

  /** Bytes of output that marks in the log replace. */
  long leftOut;

  /** Bytes of output that this agent could not write to its disk. */
  long unwritten;

  /** Bytes that the server has. The next chunk begins here. */
  long acked;

  long sentEnd;
  boolean sentLast;
  boolean underWay;
  int fruitless;

  /** Failed attempts in a row to read it. */
  int unread;

  /** The server took chunks and stored nothing, so only a mark is left to send. */
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

  /** Sets the length of the log's beginning. */
  void headGrew(long headLength) {
    parts.clear();
    parts.add(new Part.InFile(files.head(), headLength));
    length = headLength;
  }

  /**
   * Nothing more will be written, so the end can follow the beginning.
   *
   * @param unmarked bytes that could not be written and have no mark in the files
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

  /** Gives up the part that the server does not have; a mark replaces it. */
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
    // The server's copy may end inside a line.
    mark((gone.kept() > 0 ? "\n" : "") + LogMark.missing(gone.missing(), gone.why()));
  }

  /** The server has less of it than before, so the mark must start there and count more. */
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

  /** Reads so many bytes from the end of the server's copy. */
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
