package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.process.LogSink.Stream;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogShipperTest {

  private static final TaskId TASK = new TaskId(new UUID(1, 2));

  @TempDir Path temp;

  private final AtomicInteger woken = new AtomicInteger();
  private final Server server = new Server();
  private LogSettings settings = LogSpoolTest.small(100_000, 1_000_000);

  @Test
  void log_arrives_whole_and_its_file_goes_after_settlement() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x".repeat(250));
    assertThat(woken).hasPositiveValue();
    List<LogChunk> sent = pump(shipper);
    assertThat(sent).hasSize(3).noneMatch(LogChunk::getLast);
    line(spool, "end");
    var shipped = shipper.shipped(id(1));
    spool.close();
    assertThat(shipped).isNotDone();
    pump(shipper);
    assertThat(shipped).isDone();
    assertThat(server.log(1)).isEqualTo(Files.readAllBytes(onlyFile()));
    assertThat(server.last).containsExactly(id(1));
    shipper.settled(id(1));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void closing_after_all_was_sent_still_tells_the_end() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "a");
    pump(shipper);
    spool.close();
    shipper.settled(id(1));
    assertThat(temp).isNotEmptyDirectory();
    assertThat(pump(shipper)).singleElement().matches(c -> c.getLast() && c.getData().isEmpty());
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void empty_log_is_shipped_at_once() {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    spool.close();
    assertThat(shipper.next()).isEmpty();
    assertThat(shipper.shipped(id(1))).isDone();
  }

  @Test
  void lost_answers_are_made_up_after_a_reconnect() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x".repeat(500));
    spool.close();
    LogChunk stored = shipper.next().orElseThrow();
    LogAck lost = server.answer(stored);
    assertThat(shipper.next()).as("one chunk at a time").isEmpty();
    shipper.reconnected();
    LogChunk again = shipper.next().orElseThrow();
    assertThat(again.getOffset()).isZero();
    shipper.acknowledged(server.answer(again));
    shipper.acknowledged(lost);
    pump(shipper);
    assertThat(server.log(1)).isEqualTo(Files.readAllBytes(onlyFile()));
  }

  @Test
  void server_that_lost_its_file_gets_all_of_it_again() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x".repeat(500));
    shipper.acknowledged(server.answer(shipper.next().orElseThrow()));
    server.logs.clear();
    line(spool, "more");
    spool.close();
    pump(shipper);
    assertThat(server.log(1)).isEqualTo(Files.readAllBytes(onlyFile()));
  }

  @Test
  void server_that_stores_nothing_is_given_up() {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x");
    spool.close();
    int sent = 0;
    for (Optional<LogChunk> c = shipper.next(); c.isPresent(); c = shipper.next()) {
      shipper.acknowledged(ack(1, 0, false));
      assertThat(++sent).isLessThan(50);
    }
    assertThat(shipper.shipped(id(1))).isDone();
  }

  @Test
  void what_the_server_did_not_store_is_marked_when_it_stores_again() {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x");
    while (shipper.next().isPresent()) {
      shipper.acknowledged(ack(1, 0, false));
    }
    assertThat(shipper.shipped(id(1))).as("no outcome waits for it").isDone();
    line(spool, "y");
    assertThat(shipper.next()).as("given up until it is closed").isEmpty();
    spool.close();
    pump(shipper);
    assertThat(text(1)).isEqualTo("[belay: 58 bytes missing here: the server did not store it]\n");
    shipper.settled(id(1));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void log_that_could_not_be_read_for_a_moment_arrives_whole() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "kept");
    spool.close();
    Path file = onlyFile();
    Path elsewhere = Files.move(file, temp.resolve("elsewhere"));
    assertThat(shipper.next()).isEmpty();
    shipper.settled(id(1));
    assertThat(shipper.next()).as("not before the pause is over").isEmpty();
    assertThat(shipper.unreadablePause()).hasValue(Duration.ofSeconds(1));
    Files.move(elsewhere, file);
    shipper.retryUnreadable();
    pump(shipper);
    assertThat(text(1)).endsWith("O kept\n");
    assertThat(shipper.unreadablePause()).isEmpty();
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void log_that_cannot_be_read_for_long_gets_a_mark() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "gone");
    Files.delete(onlyFile());
    for (int tries = 0; tries < 20; tries++) {
      shipper.retryUnreadable();
      assertThat(shipper.next()).as("more may be written").isEmpty();
    }
    assertThat(shipper.unreadablePause()).hasValue(settings.pauseMax());
    spool.close();
    shipper.retryUnreadable();
    pump(shipper);
    assertThat(text(1)).isEqualTo("[belay: 32 bytes missing here: the agent could not read it]\n");
    shipper.settled(id(1));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void full_log_at_the_server_ends_the_shipping() throws IOException {
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    line(spool, "x".repeat(500));
    shipper.next();
    shipper.acknowledged(ack(1, 50, true));
    assertThat(shipper.shipped(id(1))).isDone();
    line(spool, "more");
    assertThat(shipper.next()).isEmpty();
    shipper.settled(id(1));
    spool.close();
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void chunks_under_way_are_bounded() {
    LogShipper shipper = shipper();
    for (int i = 1; i <= 5; i++) {
      line(shipper.open(id(i), TASK), "hello");
    }
    assertThat(shipper.next()).isPresent();
    LogChunk second = shipper.next().orElseThrow();
    assertThat(shipper.next()).isEmpty();
    shipper.acknowledged(server.answer(second));
    assertThat(shipper.next()).isPresent();
  }

  @Test
  void outcome_does_not_wait_for_ever() {
    LogShipper shipper = shipper();
    line(shipper.open(id(1), TASK), "hello");
    assertThat(shipper.shipped(id(1), Duration.ofMillis(20))).succeedsWithin(Duration.ofSeconds(5));
    assertThat(shipper.shipped(id(1), Duration.ofMinutes(1))).isNotDone();
  }

  @Test
  void leftovers_of_an_earlier_session_are_shipped() throws IOException {
    LogShipper before = shipper();
    line(before.open(id(1), TASK), "settled before");
    line(before.open(id(2), TASK), "unsettled");
    Files.writeString(temp.resolve("foreign.txt"), "?");
    LogShipper shipper = shipper();
    shipper.recover(Set.of(id(2)));
    pump(shipper);
    assertThat(new String(server.log(1), UTF_8)).endsWith("settled before\n");
    assertThat(new String(server.log(2), UTF_8)).endsWith("unsettled\n");
    assertThat(server.last).containsExactlyInAnyOrder(id(1), id(2));
    assertThat(onlyFile().getFileName().toString()).startsWith(id(2).toString());
    shipper.settled(id(2));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void damaged_notes_and_strange_folders_do_not_stop_the_start() throws IOException {
    LogShipper before = shipper();
    line(before.open(id(1), TASK), "kept");
    var note = temp.resolve(id(2) + "." + TASK + ".lost");
    Files.write(note, new byte[] {-1, -2, -128, -1});
    Files.writeString(temp.resolve(id(3) + "." + TASK + ".lost"), "-9 -9 strange");
    Files.createDirectories(temp.resolve("lost+found/piece"));
    Files.createDirectories(temp.resolve(id(4) + "." + TASK + ".lost/piece"));
    LogShipper shipper = shipper();
    shipper.recover(Set.of());
    pump(shipper);
    assertThat(text(1)).endsWith("O kept\n");
    assertThat(text(2)).contains("the agent's note of it was damaged");
    assertThat(text(3)).contains("the agent's note of it was damaged");
    assertThat(temp.resolve("lost+found/piece")).isDirectory();
  }

  @Test
  void oldest_ended_logs_go_when_all_are_over_their_bound() throws IOException {
    settings = LogSpoolTest.small(100_000, 1000);
    LogShipper shipper = shipper();
    for (int i = 1; i <= 10; i++) {
      LogSpool spool = shipper.open(id(i), TASK);
      line(spool, "x".repeat(300));
      spool.close();
    }
    try (var files = Files.list(temp)) {
      assertThat(files.map(Path::toString))
          .hasSizeLessThan(8)
          .filteredOn(file -> file.endsWith(".log"))
          .hasSizeLessThan(5);
    }
    assertThat(shipper.shipped(id(1))).isDone();
    assertThat(shipper.shipped(id(10))).isNotDone();
  }

  @Test
  void the_end_of_a_long_log_follows_when_it_is_closed_with_a_mark_for_the_gap() {
    settings = LogSpoolTest.small(20_000, 1_000_000);
    LogShipper shipper = shipper();
    LogSpool spool = shipper.open(id(1), TASK);
    for (int i = 0; i < 10_000; i++) {
      line(spool, "line " + i);
    }
    pump(shipper);
    assertThat(text(1))
        .endsWith("[belay: longer than 9.6 KiB: its end follows when the attempt ends]\n");
    spool.close();
    List<LogChunk> sent = pump(shipper);
    assertThat(text(1))
        .hasSizeLessThanOrEqualTo(20_000)
        .containsPattern("when the attempt ends]\n\\[belay: [0-9.]+ KiB left out here]\n1970")
        .endsWith("O line 9999\n");
    assertThat(sent.getLast().getLeftOut()).isGreaterThan(300_000);
    shipper.settled(id(1));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void a_restarted_agent_ships_the_end_of_a_long_log_too() throws IOException {
    settings = LogSpoolTest.small(20_000, 1_000_000);
    LogSpool spool = shipper().open(id(1), TASK);
    for (int i = 0; i < 10_000; i++) {
      line(spool, "line " + i);
    }
    LogShipper shipper = shipper();
    shipper.recover(Set.of());
    pump(shipper);
    assertThat(text(1)).contains(" KiB left out here]\n1970").endsWith("O line 9999\n");
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void a_server_that_keeps_less_gets_less() {
    LogShipper shipper = shipper();
    shipper.acknowledged(LogAck.newBuilder().setMaxBytes(2_000).build());
    LogSpool spool = shipper.open(id(1), TASK);
    for (int i = 0; i < 1_000; i++) {
      line(spool, "line " + i);
    }
    spool.close();
    pump(shipper);
    assertThat(text(1)).hasSizeLessThanOrEqualTo(2_000).endsWith("O line 999\n");
  }

  @Test
  void a_server_without_space_gets_one_try_at_a_time_and_all_of_it_later() throws IOException {
    LogShipper shipper = shipper();
    for (int i = 1; i <= 3; i++) {
      LogSpool spool = shipper.open(id(i), TASK);
      line(spool, "x".repeat(300));
      spool.close();
    }
    var outcome = shipper.shipped(id(3), Duration.ofMinutes(1));
    shipper.next();
    shipper.next();
    assertThat(shipper.acknowledged(full(1))).contains(Duration.ofSeconds(5));
    assertThat(outcome).as("no outcome waits for a log that cannot be stored").isDone();
    assertThat(shipper.shipped(id(2), Duration.ofMinutes(1))).isDone();
    shipper.acknowledged(full(2));
    assertThat(shipper.next()).isEmpty();
    shipper.settled(id(1));
    for (int again = 0; again < 50; again++) {
      shipper.resume();
      LogChunk probe = shipper.next().orElseThrow();
      assertThat(shipper.next()).isEmpty();
      shipper.acknowledged(
          full(DispatchId.of(probe.getDispatchId()).value().getLeastSignificantBits()));
    }
    shipper.resume();
    pump(shipper);
    for (int i = 1; i <= 3; i++) {
      assertThat(text(i)).hasSize(328).endsWith("x\n");
      shipper.settled(id(i));
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void what_is_given_up_for_want_of_space_is_marked_also_after_a_restart() throws IOException {
    settings = LogSpoolTest.small(100_000, 1_000);
    LogShipper shipper = shipper();
    LogSpool first = shipper.open(id(1), TASK);
    line(first, "x".repeat(1_500));
    shipper.acknowledged(server.answer(shipper.next().orElseThrow()));
    shipper.next();
    shipper.acknowledged(full(1).toBuilder().setLength(100).build());
    first.close();
    shipper.settled(id(1));
    shipper.open(id(2), TASK);
    assertThat(onlyFile().getFileName().toString()).endsWith(".lost");
    LogShipper restarted = shipper();
    restarted.recover(Set.of());
    List<LogChunk> sent = pump(restarted);
    assertThat(text(1))
        .endsWith("x\n[belay: 1.4 KiB missing here: the server's log disk was full]\n");
    assertThat(sent.getLast().getLeftOut()).isEqualTo(27 + 1_500 + 1 - 100);
    assertThat(temp).isEmptyDirectory();
  }

  private static LogAck full(long n) {
    return ack(n, 0, false).toBuilder().setRetryAfterMs(5_000).setRefused("disk_full").build();
  }

  private String text(long n) {
    return new String(server.log(n), UTF_8);
  }

  private LogShipper shipper() {
    return new LogShipper(
        temp, settings, InstantSource.fixed(Instant.EPOCH), woken::incrementAndGet, Room.NONE);
  }

  private List<LogChunk> pump(LogShipper shipper) {
    List<LogChunk> sent = new ArrayList<>();
    for (Optional<LogChunk> c = shipper.next(); c.isPresent(); c = shipper.next()) {
      sent.add(c.get());
      shipper.acknowledged(server.answer(c.get()));
    }
    return sent;
  }

  private Path onlyFile() throws IOException {
    try (var files = Files.list(temp)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private static void line(LogSpool spool, String text) {
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    spool.write(Stream.OUT, bytes, bytes.length);
  }

  private static DispatchId id(long n) {
    return new DispatchId(new UUID(7, n));
  }

  private static LogAck ack(long n, long length, boolean full) {
    return LogAck.newBuilder()
        .setDispatchId(id(n).toString())
        .setLength(length)
        .setFull(full)
        .build();
  }

  /** Stores chunks by the contract: cuts a known part, ignores a chunk after a gap. */
  private static final class Server {
    private final Map<DispatchId, ByteArrayOutputStream> logs = new HashMap<>();
    private final List<DispatchId> last = new ArrayList<>();

    LogAck answer(LogChunk chunk) {
      DispatchId id = DispatchId.of(chunk.getDispatchId());
      ByteArrayOutputStream log = logs.computeIfAbsent(id, i -> new ByteArrayOutputStream());
      byte[] data = chunk.getData().toByteArray();
      int known = (int) (log.size() - chunk.getOffset());
      if (known >= 0 && known <= data.length) {
        log.write(data, known, data.length - known);
      }
      if (chunk.getLast()) {
        last.add(id);
      }
      return LogAck.newBuilder().setDispatchId(id.toString()).setLength(log.size()).build();
    }

    byte[] log(long n) {
      return Objects.requireNonNull(logs.get(id(n))).toByteArray();
    }
  }
}
