package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.process.LogSink.Stream;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSpoolTest {

  private static final String AT = "2026-01-02T03:04:05.006Z ";

  @TempDir Path temp;
  private long length;
  private long diskMax;
  private boolean closed;
  private List<SpoolFiles.Segment> end = List.of();

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
  void a_long_log_keeps_its_beginning_and_its_end() throws IOException {
    LogSpool spool = spool(small(20_000, 1_000_000));
    for (int i = 0; i < 10_000; i++) {
      write(spool, Stream.OUT, "line " + i + "\n");
    }
    spool.close();
    assertThat(lines().getFirst()).isEqualTo(AT + "O line 0");
    assertThat(lines().getLast())
        .isEqualTo("[belay: longer than 9.6 KiB: its end follows when the attempt ends]");
    assertThat(Files.readString(end.getLast().file())).endsWith(AT + "O line 9999\n");
    long ends = end.stream().mapToLong(SpoolFiles.Segment::length).sum();
    assertThat(ends).isBetween(7_000L, 10_000L);
    assertThat(diskMax).isLessThanOrEqualTo(20_000);
    assertThat(onDisk()).isEqualTo(Files.size(file()) + ends);
    long written = Files.size(file()) + 10_000L * (AT.length() + 2 + 9 + 1);
    assertThat(end.getFirst().start()).isBetween(350_000L, written);
    assertThat(end).allSatisfy(each -> assertThat(Files.readString(each.file())).startsWith(AT));
  }

  @Test
  void a_log_that_fits_after_all_has_no_gap() throws IOException {
    LogSpool spool = spool(small(20_000, 1_000_000));
    for (int i = 0; i < 450; i++) {
      write(spool, Stream.OUT, "line " + i + "\n");
    }
    spool.close();
    long at = Files.size(file());
    assertThat(end).isNotEmpty();
    for (SpoolFiles.Segment segment : end) {
      assertThat(segment.start()).isEqualTo(at);
      at += segment.length();
    }
  }

  @Test
  void what_a_full_disk_did_not_take_is_marked_when_it_takes_more() throws IOException {
    LogSpool spool = spool(LogSettings.defaults());
    Files.createDirectory(file());
    write(spool, Stream.OUT, "lost\n");
    Files.delete(file());
    write(spool, Stream.OUT, "kept\n");
    spool.close();
    assertThat(lines())
        .containsExactly("[belay: 5 bytes of output were lost here: disk full]", AT + "O kept");
    assertThat(spool.lostBytes()).isEqualTo(5);
  }

  private long onDisk() throws IOException {
    try (var files = Files.list(temp)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  static LogSettings small(long dispatchMax, long totalMax) {
    LogSettings d = LogSettings.defaults();
    return new LogSettings(
        dispatchMax,
        totalMax,
        d.lineMaxBytes(),
        100,
        2,
        d.resendMax(),
        d.shipWait(),
        d.pauseMax(),
        2);
  }

  private static void write(LogSpool spool, Stream stream, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    spool.write(stream, bytes, bytes.length);
  }

  private LogSpool spool(LogSettings settings) {
    return new LogSpool(
        files(),
        settings,
        settings.dispatchMaxBytes(),
        InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.006Z")),
        new LogSpool.Listener() {
          @Override
          public void grown(long headLength, long diskBytes, long unwritten) {
            length = headLength;
            diskMax = Math.max(diskMax, diskBytes);
          }

          @Override
          public void closed(List<SpoolFiles.Segment> segments, long unmarked) {
            closed = true;
            end = segments;
          }
        });
  }

  private List<String> lines() throws IOException {
    String text = Files.readString(file());
    assertThat(text).endsWith("\n");
    return List.of(text.substring(0, text.length() - 1).split("\n", -1));
  }

  private SpoolFiles files() {
    return new SpoolFiles(temp, new DispatchId(new UUID(7, 1)), new TaskId(new UUID(1, 2)));
  }

  private Path file() {
    return files().head();
  }
}
