package dev.belay.server.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.engine.port.LeaseToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveFolderTest {

  private static final LeaseToken FIRST = new LeaseToken("retention", "a", 7);
  private static final LeaseToken SECOND = new LeaseToken("retention", "a", 8);

  @TempDir Path home;
  private Path folder = Path.of("");
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private ArchiveFolder archive = new ArchiveFolder(folder, () -> now);

  @BeforeEach
  void open() {
    folder = home.resolve("a/b");
    archive = new ArchiveFolder(folder, () -> now);
  }

  @Test
  void batches_of_one_day_and_process_are_one_file_that_only_its_owner_reads() throws IOException {
    archive.append(FIRST, lines -> say(lines, "one"));
    archive.append(FIRST, lines -> say(lines, "two"));
    archive.append(SECOND, lines -> say(lines, "three"));
    now = now.plus(Duration.ofDays(1));
    archive.append(SECOND, lines -> say(lines, "four"));
    assertThat(names())
        .containsExactly("finished-2026-03-01-7.jsonl.gz", "finished-2026-03-02-8.jsonl.gz");
    assertThat(text("finished-2026-03-01-7.jsonl.gz")).isEqualTo("one\ntwo\nthree\n");
    assertThat(Files.getPosixFilePermissions(folder.resolve("finished-2026-03-01-7.jsonl.gz")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void a_folder_that_cannot_be_used_is_refused_with_the_reason() throws IOException {
    ArchiveFolder.check(folder);
    ArchiveFolder.check(folder);
    assertThat(names()).isEmpty();
    var file = Files.writeString(home.resolve("file"), "");
    assertThatThrownBy(() -> ArchiveFolder.check(file))
        .hasMessageContaining("retention-archive is " + file + ", but a file has this name")
        .hasMessageContaining("Name a folder");
    assertThatThrownBy(() -> ArchiveFolder.check(file.resolve("below")))
        .hasMessageContaining("Not a directory");
    assertThatThrownBy(() -> ArchiveFolder.check(Path.of("/proc/belay")))
        .hasMessageContaining("Name a folder");
  }

  @Test
  void a_batch_that_fails_leaves_nothing_behind() throws IOException {
    archive.append(FIRST, lines -> say(lines, "one"));
    assertThatThrownBy(
            () ->
                archive.append(
                    FIRST,
                    lines -> {
                      say(lines, "lost".repeat(100_000));
                      throw new UncheckedIOException(new IOException("no space left on device"));
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no space");
    assertThat(text("finished-2026-03-01-7.jsonl.gz")).isEqualTo("one\n");
    archive.append(FIRST, lines -> say(lines, "two"));
    assertThat(text("finished-2026-03-01-7.jsonl.gz")).isEqualTo("one\ntwo\n");
  }

  @Test
  void a_file_of_an_earlier_process_is_left_as_it_is() throws IOException {
    archive.append(FIRST, lines -> say(lines, "one"));
    new ArchiveFolder(folder, () -> now).append(FIRST, lines -> say(lines, "two"));
    assertThat(text("finished-2026-03-01-7.jsonl.gz")).isEqualTo("one\n");
    assertThat(text("finished-2026-03-01-7-2.jsonl.gz")).isEqualTo("two\n");
  }

  @Test
  void a_file_that_somebody_moved_away_or_shortened_is_theirs() throws IOException {
    archive.append(FIRST, lines -> say(lines, "one"));
    Files.move(folder.resolve("finished-2026-03-01-7.jsonl.gz"), home.resolve("cold.gz"));
    archive.append(FIRST, lines -> say(lines, "two"));
    assertThat(text("finished-2026-03-01-7.jsonl.gz")).isEqualTo("two\n");
    Files.write(folder.resolve("finished-2026-03-01-7.jsonl.gz"), new byte[0]);
    archive.append(FIRST, lines -> say(lines, "three"));
    assertThat(text("finished-2026-03-01-7-2.jsonl.gz")).isEqualTo("three\n");
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private String text(String name) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(folder.resolve(name)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void say(OutputStream lines, String text) {
    try {
      lines.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
