package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.agent.logs.SpoolFiles.Segment;
import dev.belay.agent.process.LogSink;
import dev.belay.domain.log.LogMark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one dispatch in bounded files: {@code 2026-01-02T03:04:05.678Z O text}, with O for
 * stdout and E for stderr, in the order of arrival. A long log keeps its beginning and its end; the
 * end ships after the dispatch has ended. Printable characters replace control characters and
 * invalid bytes; tab and escape stay, which keeps colours.
 */
public final class LogSpool implements LogSink {

  private static final Logger log = LoggerFactory.getLogger(LogSpool.class);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Follows the log's growth on the pump thread. */
  interface Listener {
    /**
     * @param headLength bytes that may ship before the end
     * @param unwritten bytes that could not be written so far
     */
    void grown(long headLength, long diskBytes, long unwritten);

    /**
     * @param unmarked bytes that could not be written and have no mark in the files
     */
    void closed(List<Segment> end, long unmarked);

    /** The remaining disk space of the agent is not for logs. */
    default boolean isScarce() {
      return false;
    }
  }

  static final String DISK_FULL = "disk full";

  private static final int SEGMENTS = 8;

  private final SpoolFiles files;
  private final Bounds bounds;
  private final InstantSource clock;
  private final Listener listener;
  private final LineSplitter out;
  private final LineSplitter err;
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private @Nullable FileChannel channel;
  private boolean pastHead;

  /** How much of the batch is output of the task. */
  private long batchedOutput;

  /** Bytes in the current file. */
  private long length;

  private long headLength;

  /** The offset of the current segment in the whole output. */
  private long segmentStart;

  private long segmentBytes;

  /** Output that could not be written and has no mark yet. */
  private long unmarked;

  private final AtomicLong unwritten = new AtomicLong();
  private long stampMillis = Long.MIN_VALUE;
  private byte[] stamp = new byte[0];

  /**
   * @param maxBytes of the whole log, with its marks
   */
  LogSpool(
      SpoolFiles files,
      LogSettings settings,
      long maxBytes,
      InstantSource clock,
      Listener listener) {
    this.files = files;
    this.bounds = Bounds.of(maxBytes);
    this.clock = clock;
    this.listener = listener;
    this.out = new LineSplitter(settings.lineMaxBytes(), (bytes, count) -> line('O', bytes, count));
    this.err = new LineSplitter(settings.lineMaxBytes(), (bytes, count) -> line('E', bytes, count));
  }

  /** Half for the beginning, half for the end, whose oldest segment is dropped. */
  private record Bounds(long head, long tail, long segment) {
    static Bounds of(long maxBytes) {
      long head = Math.max(0, maxBytes / 2 - LogMark.MAX_BYTES);
      long tail = Math.max(0, maxBytes / 2 - 2 * LogMark.MAX_BYTES);
      return new Bounds(head, tail, tail / SEGMENTS);
    }
  }

  @Override
  public void write(Stream stream, byte[] data, int count) {
    switch (stream) {
      case OUT -> out.write(data, count);
      case ERR -> err.write(data, count);
    }
    flush();
  }

  @Override
  public void quiet() {
    out.quiet();
    err.quiet();
    flush();
  }

  @Override
  public void close() {
    try {
      out.close();
      err.close();
      flush();
      closeFile();
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", files.dispatch()).log("log not closed");
    } finally {
      listener.closed(List.copyOf(segments), unmarked);
    }
  }

  private void line(char stream, byte[] bytes, int count) {
    byte[] text = isPlain(bytes, count) ? Arrays.copyOf(bytes, count) : printable(bytes, count);
    byte[] time = stamp();
    makeRoom(time.length + 3 + text.length + 1);
    batch.writeBytes(time);
    batch.write(' ');
    batch.write(stream);
    batch.write(' ');
    batch.writeBytes(text);
    batch.write('\n');
    batchedOutput += text.length + 1;
  }

  /** A line never spans two files. */
  private void makeRoom(int lineLength) {
    long wanted = length + batch.size() + lineLength;
    if (!pastHead && wanted > bounds.head()) {
      batch.writeBytes(LogMark.endFollows(bounds.head()).getBytes(UTF_8));
      flush();
      headLength = length;
      pastHead = true;
      nextSegment(headLength);
    } else if (pastHead && length + batch.size() > 0 && wanted > bounds.segment()) {
      flush();
      nextSegment(segmentStart + length);
    }
  }

  private void nextSegment(long start) {
    try {
      closeFile();
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", files.dispatch()).log("log not closed");
    }
    segmentStart = start;
    length = 0;
    // The oldest goes before a new one comes, so the end never takes more than its half.
    while (!segments.isEmpty() && segmentBytes > bounds.tail() - bounds.segment()) {
      Segment oldest = segments.removeFirst();
      segmentBytes -= oldest.length();
      try {
        Files.deleteIfExists(oldest.file());
      } catch (IOException e) {
        log.atWarn().setCause(e).addKeyValue("dispatch", files.dispatch()).log("log file stays");
      }
    }
  }

  private void closeFile() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  private void flush() {
    if (batch.size() == 0) {
      return;
    }
    byte[] fresh = batch.toByteArray();
    long output = batchedOutput;
    batch.reset();
    batchedOutput = 0;
    try {
      if (listener.isScarce()) {
        throw new IOException("No space left but for the journal");
      }
      write(unmarked == 0 ? fresh : withMark(fresh));
      unmarked = 0;
    } catch (IOException e) {
      lost(output, e);
    }
    listener.grown(pastHead ? headLength : length, headLength + segmentBytes, unwritten.get());
  }

  private void write(byte[] data) throws IOException {
    FileChannel to = channel;
    if (to == null) {
      to = SpoolFiles.create(pastHead ? files.tail(segmentStart) : files.head());
      channel = to;
    }
    ByteBuffer bytes = ByteBuffer.wrap(data);
    while (bytes.hasRemaining()) {
      to.write(bytes, length + bytes.position());
    }
    length += data.length;
    if (pastHead) {
      boolean grew = !segments.isEmpty() && segments.getLast().start() == segmentStart;
      segmentBytes += data.length;
      if (grew) {
        segments.removeLast();
      }
      segments.addLast(new Segment(files.tail(segmentStart), segmentStart, length));
    } else {
      headLength = length;
    }
  }

  /** The task continues without this piece of its log: a full disk must not make a task hang. */
  private void lost(long bytes, IOException cause) {
    if (unwritten.get() == 0) {
      log.atError()
          .addKeyValue("dispatch", files.dispatch())
          .addKeyValue("cause", cause)
          .log("log cannot be kept; what is lost is marked in it");
    }
    unmarked += bytes;
    unwritten.addAndGet(bytes);
    try {
      if (channel != null) {
        channel.truncate(length);
      }
    } catch (IOException e) {
      log.atDebug().setCause(e).log("a torn piece of a log stays in its file");
    }
  }

  private byte[] withMark(byte[] data) {
    byte[] mark = LogMark.lost(unmarked, DISK_FULL).getBytes(UTF_8);
    byte[] all = Arrays.copyOf(mark, mark.length + data.length);
    System.arraycopy(data, 0, all, mark.length, data.length);
    return all;
  }

  @Override
  public long lostBytes() {
    return unwritten.get();
  }

  private byte[] stamp() {
    long millis = clock.millis();
    if (millis != stampMillis) {
      stampMillis = millis;
      stamp = TIME.format(Instant.ofEpochMilli(millis)).getBytes(UTF_8);
    }
    return stamp;
  }

  private static boolean isPlain(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if ((bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static byte[] printable(byte[] bytes, int count) {
    StringBuilder text = new StringBuilder(new String(bytes, 0, count, UTF_8));
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' && c != '\t' && c != 0x1b) {
        text.setCharAt(i, (char) ('\u2400' + c));
      } else if (c >= 0x7f && c < 0xa0) {
        text.setCharAt(i, c == 0x7f ? '\u2421' : '\uFFFD');
      }
    }
    return text.toString().getBytes(UTF_8);
  }
}
