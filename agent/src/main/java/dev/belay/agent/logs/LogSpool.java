package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.agent.process.LogSink;
import dev.belay.agent.state.PrivateFile;
import dev.belay.agent.state.Reserve;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log file of one dispatch: {@code 2026-01-02T03:04:05.678Z O text}, O for stdout and E for
 * stderr, in the order of arrival. Control characters and invalid bytes are shown by printable
 * characters; tab and escape stay, so that colours do.
 */
public final class LogSpool implements LogSink {

  private static final Logger log = LoggerFactory.getLogger(LogSpool.class);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Hears of each growth; called by the pump thread. */
  interface Listener {
    void grown(long length);

    void closed();

    /** Whether there is more room now than there was when that happened. */
    default boolean makeRoom(IOException failure) {
      return false;
    }

    /** What space there is belongs to the journal. */
    default boolean isScarce() {
      return false;
    }
  }

  private final Path file;
  private final LogSettings settings;
  private final InstantSource clock;
  private final Listener listener;
  private final LineSplitter out;
  private final LineSplitter err;
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private @Nullable FileChannel channel;
  private long length;
  private boolean full;

  /** Output in {@link #batch}. */
  private long batchedBytes;

  /** Output that could not be written since the last line that was; a mark takes its place. */
  private long lostHere;

  private String lostWhy = "";
  private final AtomicLong lostBytes = new AtomicLong();
  private long stampMillis = Long.MIN_VALUE;
  private byte[] stamp = new byte[0];

  LogSpool(Path file, LogSettings settings, InstantSource clock, Listener listener) {
    this.file = file;
    this.settings = settings;
    this.clock = clock;
    this.listener = listener;
    this.out = new LineSplitter(settings.lineMaxBytes(), (bytes, count) -> line('O', bytes, count));
    this.err = new LineSplitter(settings.lineMaxBytes(), (bytes, count) -> line('E', bytes, count));
  }

  @Override
  public void write(Stream stream, byte[] data, int count) {
    if (full) {
      return;
    }
    switch (stream) {
      case OUT -> out.write(data, count);
      case ERR -> err.write(data, count);
    }
    flush();
  }

  @Override
  public void quiet() {
    if (!full) {
      out.quiet();
      err.quiet();
      flush();
    }
  }

  @Override
  public void close() {
    try {
      if (!full) {
        out.close();
        err.close();
        flush();
      }
      markLast();
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("file", file.getFileName()).log("log not closed");
    } finally {
      listener.closed();
    }
  }

  private void line(char stream, byte[] bytes, int count) {
    if (full) {
      return;
    }
    byte[] text = isPlain(bytes, count) ? Arrays.copyOf(bytes, count) : printable(bytes, count);
    byte[] time = stamp();
    int lineLength = time.length + 3 + text.length + 1;
    if (length + batch.size() + lineLength > settings.dispatchMaxBytes()) {
      full = true;
      stream = 'E';
      text =
          ("... truncated: the log reached " + settings.dispatchMaxBytes() + " bytes")
              .getBytes(UTF_8);
    }
    append(batch, stream, text);
    batchedBytes += text.length + 1;
  }

  private void append(ByteArrayOutputStream to, char stream, byte[] text) {
    to.writeBytes(stamp());
    to.write(' ');
    to.write(stream);
    to.write(' ');
    to.writeBytes(text);
    to.write('\n');
  }

  private void flush() {
    if (batch.size() == 0) {
      return;
    }
    try {
      if (listener.isScarce()) {
        throw new IOException("No space left but for the journal");
      }
      write(lostHere == 0 ? batch.toByteArray() : marked(batch));
      lostHere = 0;
    } catch (IOException e) {
      lost(e);
    } finally {
      batch.reset();
      batchedBytes = 0;
    }
  }

  private void write(byte[] text) throws IOException {
    FileChannel to = channel;
    if (to == null) {
      to = PrivateFile.open(file, CREATE, WRITE, TRUNCATE_EXISTING);
      channel = to;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(text);
      while (bytes.hasRemaining()) {
        to.write(bytes, length + bytes.position());
      }
    } catch (IOException e) {
      to.truncate(length);
      throw e;
    }
    length += text.length;
    listener.grown(length);
  }

  /** The task goes on without its log: a full disk must not become a hanging task. */
  private void lost(IOException e) {
    if (lostBytes.get() == 0) {
      log.atError()
          .addKeyValue("file", file.getFileName())
          .addKeyValue("cause", e)
          .log("output of a task cannot be kept");
    }
    lostWhy = Reserve.reason(e);
    lostHere += batchedBytes;
    lostBytes.addAndGet(batchedBytes);
  }

  /** A mark where output is missing, then what follows it. */
  private byte[] marked(ByteArrayOutputStream following) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    String mark =
        String.format(
            Locale.ROOT, "[belay: %,d bytes of output were lost here: %s]", lostHere, lostWhy);
    append(text, 'E', mark.getBytes(UTF_8));
    text.writeBytes(following.toByteArray());
    return text.toByteArray();
  }

  /** The end of the output is missing: that line must be had. */
  private void markLast() throws IOException {
    if (lostHere == 0) {
      return;
    }
    byte[] mark = marked(new ByteArrayOutputStream());
    try {
      write(mark);
    } catch (IOException e) {
      if (!listener.makeRoom(e)) {
        throw e;
      }
      write(mark);
    }
  }

  @Override
  public long lostBytes() {
    return lostBytes.get();
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
