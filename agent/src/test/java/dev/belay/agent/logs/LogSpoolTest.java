package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.process.LogSink.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSpoolTest {

  private static final String AT = "2026-01-02T03:04:05.006Z ";

  @TempDir Path temp;
  private long length;
  private boolean closed;

  @Test
  void lines_of_both_streams_are_stamped_in_order() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    write(spool, Stream.OUT, "one\ntw");
    write(spool, Stream.ERR, "bad\r\n");
    write(spool, Stream.OUT, "o\n\n");
    spool.close();
    assertThat(lines()).containsExactly(AT + "O one", AT + "E bad", AT + "O two", AT + "O ");
    assertThat(length).isEqualTo(Files.size(file()));
    assertThat(closed).isTrue();
  }

  @Test
  void unfinished_line_is_shown_when_quiet_and_at_the_end() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    write(spool, Stream.OUT, "password: ");
    spool.quiet();
    assertThat(lines()).containsExactly(AT + "O password: ");
    write(spool, Stream.OUT, "\nnext");
    spool.close();
    assertThat(lines()).containsExactly(AT + "O password: ", AT + "O next");
  }

  @Test
  void log_without_a_byte_has_no_file() {
    LogSpool spool = spool(LogSettings.defaults());
    spool.quiet();
    spool.close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void long_lines_are_split_between_characters() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    String text = "\u20ac".repeat(10_000);
    byte[] bytes = text.getBytes(UTF_8);
    spool.write(Stream.OUT, bytes, bytes.length);
    spool.close();
    assertThat(lines()).allMatch(line -> line.length() <= 8 * 1024 + AT.length() + 2);
    assertThat(String.join("", lines()).replace(AT + "O ", "")).isEqualTo(text);
  }

  @Test
  void character_cut_by_silence_stays_whole() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    byte[] bytes = "a\u20ac\n".getBytes(UTF_8);
    spool.write(Stream.OUT, bytes, 3);
    spool.quiet();
    spool.write(Stream.OUT, new byte[] {bytes[3], '\n'}, 2);
    spool.close();
    assertThat(lines()).containsExactly(AT + "O a", AT + "O \u20ac");
  }

  @Test
  void binary_becomes_printable() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    write(spool, Stream.OUT, "a\0b\rc\td\u001b[31m\u007f\n");
    byte[] invalid = {(byte) 0xff, 'x', (byte) 0xc3, '\n'};
    spool.write(Stream.ERR, invalid, invalid.length);
    byte[] random = new byte[1_000_000];
    new Random(42).nextBytes(random);
    spool.write(Stream.OUT, random, random.length);
    spool.close();
    assertThat(lines().subList(0, 2))
        .containsExactly(AT + "O a\u2400b\u240dc\td\u001b[31m\u2421", AT + "E \ufffdx\ufffd");
    assertThat(lines()).allMatch(line -> line.startsWith(AT));
    assertThat(Files.readString(file()).chars().filter(c -> c < ' '))
        .allMatch(c -> c == '\n' || c == '\t' || c == 0x1b);
  }

  @Test
  void full_log_says_so_once_and_drops_the_rest() throws IOException {
    LogSettings settings = small(1000, 1_000_000);
    LogSpool spool = spool(settings);
    for (int i = 0; i < 1000; i++) {
      write(spool, Stream.OUT, "line " + i + "\n");
    }
    spool.close();
    assertThat(Files.size(file())).isLessThan(1100);
    assertThat(lines().getLast()).isEqualTo(AT + "E ... truncated: the log reached 1000 bytes");
    assertThat(lines()).filteredOn(line -> line.contains("truncated")).hasSize(1);
  }

  static LogSettings small(long dispatchMax, long totalMax) {
    LogSettings d = LogSettings.defaults();
    return new LogSettings(
        dispatchMax, totalMax, d.lineMaxBytes(), 100, 2, d.resendMax(), d.shipWait());
  }

  private static void write(LogSpool spool, Stream stream, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    spool.write(stream, bytes, bytes.length);
  }

  private LogSpool spool(LogSettings settings) {
    return new LogSpool(
        file(),
        settings,
        InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.006Z")),
        new LogSpool.Listener() {
          @Override
          public void grown(long newLength) {
            length = newLength;
          }

          @Override
          public void closed() {
            closed = true;
          }
        });
  }

  private List<String> lines() throws IOException {
    String text = Files.readString(file());
    assertThat(text).endsWith("\n");
    return List.of(text.substring(0, text.length() - 1).split("\n", -1));
  }

  private Path file() {
    return temp.resolve("spool.log");
  }
}
