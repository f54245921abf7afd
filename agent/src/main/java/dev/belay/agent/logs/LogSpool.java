package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.agent.process.LogSink;
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
    batch.writeBytes(time);
    batch.write(' ');
    batch.write(stream);
    batch.write(' ');
    batch.writeBytes(text);
    batch.write('\n');
  }

  private void flush() {
    if (batch.size() == 0) {
      return;
    }
    try {
      FileChannel to = channel;
      if (to == null) {
        to = FileChannel.open(file, CREATE, WRITE, TRUNCATE_EXISTING);
        channel = to;
      }
      ByteBuffer bytes = ByteBuffer.wrap(batch.toByteArray());
      while (bytes.hasRemaining()) {
        to.write(bytes, length + bytes.position());
      }
      length += bytes.limit();
      listener.grown(length);
    } catch (IOException e) {
      // The task goes on without its log: a full disk must not become a hanging task.
      full = true;
      log.atError().setCause(e).addKeyValue("file", file.getFileName()).log("log cannot be kept");
    } finally {
      batch.reset();
    }
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
