package dev.belay.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.server.logs.LogStore.Appended;
import dev.belay.server.logs.LogStore.Missing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreTest {

  private static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");
  private static final DispatchId ID = new DispatchId(Ids.v7(NOW.toEpochMilli(), 1, 2));

  @TempDir Path folder;
  private LogStore logs;
  private long nanos;

  @BeforeEach
  void open() throws IOException {
    open(Long.MAX_VALUE);
  }

  private void open(long diskMax) throws IOException {
    logs =
        new LogStore(
            folder,
            new LogStore.Bounds(20, Duration.ofDays(14), 100),
            InstantSource.fixed(NOW),
            new LogDisk(folder, diskMax, 0, () -> nanos));
  }

  @Test
  void chunks_are_appended_once_by_offset() throws IOException {
    assertThat(append(0, "abc", false)).isEqualTo(new Appended(3, false, 3));
    assertThat(append(0, "abc", false)).isEqualTo(new Appended(3, false, 0));
    assertThat(append(1, "bcde", false)).isEqualTo(new Appended(5, false, 2));
    assertThat(append(9, "later", false)).isEqualTo(new Appended(5, false, 0));
    assertThat(append(Long.MAX_VALUE, "x", true)).isEqualTo(new Appended(5, false, 0));
    assertThat(append(5, "f", true)).isEqualTo(new Appended(6, true, 1));
    assertThat(append(5, "fgh", true)).isEqualTo(new Appended(6, true, 0));
    assertThat(text()).isEqualTo("abcdef");
  }

  @Test
  void a_log_is_complete_only_when_its_last_chunk_fits_without_a_gap() throws IOException {
    append(0, "abc", false);
    assertThat(append(7, "end", true)).isEqualTo(new Appended(3, false, 0));
    assertThat(logs.read(ID, 0, 100).orElseThrow().complete()).isFalse();
    assertThat(append(3, "", true)).isEqualTo(new Appended(3, true, 0));
    assertThat(logs.read(ID, 0, 100).orElseThrow().complete()).isTrue();
  }

  @Test
  void a_log_beyond_its_limit_is_cut_with_a_note() throws IOException {
    append(0, "0123456789", false);
    var full = append(10, "0123456789X", false);
    assertThat(full.full()).isTrue();
    assertThat(text())
        .startsWith("01234567890123456789\n[belay: the log reached its limit of 20 bytes");
    assertThat(append(21, "more", false)).isEqualTo(new Appended(full.length(), true, 0));
  }

  @Test
  void a_restart_goes_on_where_a_torn_write_ended() throws IOException {
    append(0, "abc", false);
    var file = folder.resolve("2026-06-15").resolve(ID + ".part");
    Files.writeString(file, "abcd");
    open();
    assertThat(append(3, "def", false)).isEqualTo(new Appended(6, false, 2));
    assertThat(text()).isEqualTo("abcdef");
  }

  @Test
  void ids_we_did_not_make_get_no_file() throws IOException {
    for (var id :
        new UUID[] {
          UUID.randomUUID(),
          Ids.v7(NOW.minus(Duration.ofDays(15)).toEpochMilli(), 1, 1),
          Ids.v7(NOW.plus(Duration.ofDays(2)).toEpochMilli(), 1, 1)
        }) {
      assertThat(append(new DispatchId(id), piece(0, "x", false)))
          .isEqualTo(Appended.refused(0, LogRefusal.TOO_OLD));
    }
    assertThat(append(-1, "x", false)).isEqualTo(Appended.refused(0, LogRefusal.MALFORMED));
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void retention_deletes_whole_days() throws IOException {
    append(0, "abc", true);
    Files.createDirectories(folder.resolve("keep-me"));
    assertThat(logs.cleaning().sweep(NOW.plus(Duration.ofDays(14)))).isZero();
    assertThat(logs.cleaning().sweep(Instant.parse("2026-06-30T00:00:01Z"))).isEqualTo(1);
    assertThat(logs.read(ID, 0, 10)).isEmpty();
    assertThat(folder.resolve("keep-me")).exists();
  }

  @Test
  void concurrent_appends_of_the_same_chunks_leave_one_copy() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      var text = "0123456789";
      var done = new ArrayList<Future<?>>();
      for (int i = 0; i < 8; i++) {
        done.add(
            threads.submit(
                () -> {
                  for (int at = 0; at < text.length(); ) {
                    at = (int) append(at, text.substring(at, at + 1), false).length();
                  }
                  return null;
                }));
      }
      for (var future : done) {
        future.get();
      }
    }
    assertThat(text()).isEqualTo("0123456789");
  }

  @Test
  void a_full_disk_refuses_until_there_is_space_and_readers_hear_what_is_missing()
      throws IOException {
    open(8192);
    append(0, "abc", false);
    var other = new DispatchId(Ids.v7(NOW.toEpochMilli(), 1, 3));
    append(other, piece(0, "0123456789", false));
    var refused = append(ID, new LogStore.Piece(3, bytes("def"), true, 6, 0));
    assertThat(refused).isEqualTo(Appended.refused(3, LogRefusal.LOGS_MAX));
    assertThat(logs.missing(ID)).isEqualTo(new Missing(0, 3, Optional.of(LogRefusal.LOGS_MAX)));
    open(1 << 20);
    assertThat(append(3, "def", true)).isEqualTo(new Appended(6, true, 3));
    assertThat(logs.missing(ID)).isEqualTo(new Missing(0, 0, Optional.empty()));
  }

  @Test
  void a_disk_that_fails_answers_with_what_is_stored() throws IOException {
    append(0, "abc", false);
    var day = folder.resolve("2026-06-15");
    var part = day.resolve(ID + ".part");
    Files.move(part, folder.resolve("aside"));
    Files.createDirectories(part.resolve("not-a-file"));
    assertThat(append(3, "def", false).refusal()).contains(LogRefusal.DISK_ERROR);
    Files.delete(part.resolve("not-a-file"));
    Files.delete(part);
    Files.move(folder.resolve("aside"), part);
    nanos += Duration.ofSeconds(2).toNanos();
    assertThat(append(3, "def", false)).isEqualTo(new Appended(6, false, 3));
  }

  @Test
  void what_a_worker_left_out_is_remembered() throws IOException {
    append(ID, new LogStore.Piece(0, bytes("abc"), true, 3, 199));
    open();
    assertThat(logs.missing(ID).bytes()).isEqualTo(199);
  }

  @Test
  void files_are_for_their_owner_only() throws IOException {
    append(ID, new LogStore.Piece(0, bytes("abc"), true, 3, 1));
    try (var files = Files.walk(folder)) {
      assertThat(files)
          .hasSize(4)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
    }
  }

  @Test
  void the_oldest_logs_go_first_when_all_take_too_much() throws IOException {
    open(20 * 4096);
    var ids = new ArrayList<DispatchId>();
    for (int i = 0; i < 20; i++) {
      var made = NOW.minus(Duration.ofHours(20 - i)).plusSeconds(1);
      ids.add(new DispatchId(Ids.v7(made.toEpochMilli(), 1, i)));
      assertThat(append(ids.get(i), piece(0, "x", true)).refusal()).isEmpty();
    }
    assertThat(append(0, "x", true).refusal()).contains(LogRefusal.LOGS_MAX);
    logs.cleaning().measure();
    assertThat(logs.cleaning().makeRoom()).isEqualTo(2);
    assertThat(logs.read(ids.get(1), 0, 1)).isEmpty();
    assertThat(logs.read(ids.get(2), 0, 1)).isPresent();
    assertThat(append(0, "x", true).refusal()).isEmpty();
  }

  /** A worker that never ends its logs must not block the logs of all others. */
  @Test
  void unfinished_logs_go_by_age_too_unless_they_grow() throws IOException {
    open(20 * 4096);
    var ids = new ArrayList<DispatchId>();
    for (int i = 0; i < 20; i++) {
      var made = NOW.minus(Duration.ofHours(20 - i)).plusSeconds(1);
      ids.add(new DispatchId(Ids.v7(made.toEpochMilli(), 1, i)));
      assertThat(append(ids.get(i), new LogStore.Piece(0, bytes("x"), i == 2, 0, 0)).refusal())
          .isEmpty();
    }
    assertThat(append(0, "x", true).refusal()).contains(LogRefusal.LOGS_MAX);
    for (int i = 0; i < 20; i++) {
      grew(ids.get(i), i == 0 ? NOW.minusSeconds(60) : NOW.minus(Duration.ofHours(2)));
    }
    assertThat(logs.cleaning().makeRoom()).isEqualTo(2);
    assertThat(logs.read(ids.get(0), 0, 1)).as("still grows").isPresent();
    assertThat(logs.read(ids.get(1), 0, 1)).as("unfinished").isEmpty();
    assertThat(logs.read(ids.get(2), 0, 1)).as("complete").isEmpty();
    assertThat(logs.read(ids.get(3), 0, 1)).isPresent();
    assertThat(append(0, "x", true).refusal()).isEmpty();
    assertThat(append(ids.get(1), piece(1, "y", false)))
        .as("its worker is asked for the beginning")
        .isEqualTo(new Appended(0, false, 0));
  }

  @Test
  void unfinished_logs_of_the_last_hour_stay() throws IOException {
    open(4096);
    append(0, "x", false);
    grew(ID, NOW.minus(Duration.ofHours(2)));
    assertThat(logs.cleaning().makeRoom()).isZero();
  }

  private void grew(DispatchId id, Instant at) throws IOException {
    var part = new LogFiles(folder).part(id);
    if (Files.exists(part)) {
      Files.setLastModifiedTime(part, FileTime.from(at));
    }
  }

  private Appended append(long offset, String text, boolean last) {
    return append(ID, piece(offset, text, last));
  }

  private Appended append(DispatchId id, LogStore.Piece piece) {
    return logs.append(id, piece, Long.MAX_VALUE);
  }

  private static LogStore.Piece piece(long offset, String text, boolean last) {
    return new LogStore.Piece(offset, bytes(text), last, 0, 0);
  }

  private String text() throws IOException {
    return StandardCharsets.UTF_8.decode(logs.read(ID, 0, 1_000).orElseThrow().data()).toString();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
