package dev.belay.agent.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import dev.belay.session.wire.WireId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  private static final String BOOT = "boot-1";
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final JournalSettings SETTINGS = JournalSettings.defaults();

  @TempDir Path temp;

  private final SessionId session = new SessionId(new UUID(9, 9));

  @Test
  void each_unsettled_dispatch_is_recovered_in_its_phase() throws IOException {
    try (Journal journal = fresh()) {
      journal.append(List.of(prepared(1), prepared(2), prepared(3), prepared(4)));
      journal.append(List.of(started(2), started(3), started(4)));
      journal.append(List.of(ended(3), ended(4)));
      journal.append(List.of(new JournalEntry.Settled(id(4))));
    }
    assertThat(recover(BOOT).held().values()).containsExactly(prepared(1), started(2), ended(3));
    assertThat(recover(BOOT).settled()).containsExactly(id(4));
    assertThat(Journal.recover(file(), BOOT, SETTINGS).ids()).containsExactly(session);
  }

  @Test
  void nothing_is_lost_over_many_restarts() throws IOException {
    try (Journal journal = fresh()) {
      journal.append(List.of(prepared(1), started(1), ended(1), prepared(2), started(2)));
      journal.append(List.of(prepared(3), new JournalEntry.Settled(id(9))));
    }
    var first = recover(BOOT).held();
    for (int restart = 0; restart < 3; restart++) {
      restarted().close();
    }
    assertThat(recover(BOOT).held()).isEqualTo(first).hasSize(3);
    assertThat(recover(BOOT).settled()).containsExactly(id(9));
  }

  @Test
  void loss_is_told_until_a_server_knows_it() throws IOException {
    assertThat(recover(BOOT).complete()).as("first start").isFalse();
    assertThat(recover(BOOT).rebooted()).as("first start").isFalse();
    fresh().close();
    assertThat(recover(BOOT).complete()).as("not told yet").isFalse();
    try (Journal journal = restarted()) {
      journal.lossReported();
      assertThat(journal.complete()).isTrue();
    }
    assertThat(recover(BOOT).complete()).isTrue();
    restarted().close();
    assertThat(recover(BOOT).complete()).isTrue();
  }

  @Test
  void reboot_makes_it_incomplete() throws IOException {
    told(prepared(1));
    assertThat(recover("boot-2").complete()).isFalse();
    assertThat(recover("boot-2").rebooted()).isTrue();
    assertThat(recover(BOOT).rebooted()).isFalse();
    assertThat(recover("boot-2").held()).hasSize(1);
    new Journal(file(), session, "boot-2", SETTINGS, recover("boot-2"), Room.NONE).close();
    assertThat(recover("boot-2").complete()).as("killed before it could tell").isFalse();
  }

  @Test
  void torn_last_line_is_dropped() throws IOException {
    told(prepared(1), started(1));
    String whole = Files.readString(file());
    for (int cut = 1; cut < Lines.write(new Lines.Step(started(1))).length(); cut += 7) {
      Files.writeString(file(), whole.substring(0, whole.length() - cut));
      Recovered recovered = recover(BOOT);
      assertThat(recovered.complete()).isTrue();
      assertThat(recovered.held().values()).containsExactly(prepared(1));
    }
  }

  @Test
  void damaged_line_makes_it_incomplete_but_stops_nothing() throws IOException {
    told(prepared(1), started(1), prepared(2));
    List<String> lines = Files.readAllLines(file());
    for (int damaged = 0; damaged < lines.size(); damaged++) {
      List<String> copy = new ArrayList<>(lines);
      copy.set(damaged, "{\"started\": \u0000 \"x");
      Files.writeString(file(), String.join("\n", copy) + "\n");
      assertThat(recover(BOOT).complete()).isFalse();
      assertThat(recover(BOOT).held()).isNotEmpty();
    }
    Files.write(file(), new byte[] {(byte) 0xff, 0, 10, (byte) 0xc3, 10});
    assertThat(recover(BOOT).complete()).isFalse();
    restarted().close();
    assertThat(Files.readString(file(), UTF_8)).startsWith("{\"journal\":1");
  }

  /** As an agent wrote it that knew no tasks. */
  @Test
  void end_or_start_without_its_task_is_kept() throws IOException {
    told(prepared(1), started(1), ended(1), prepared(2), started(2));
    Finished unnamed = finished(1).toBuilder().clearTaskId().build();
    String older =
        Files.readString(file())
            .replace("\"task\":\"" + task(2) + "\",\"at\"", "\"at\"")
            .replace(
                Lines.write(new Lines.Step(ended(1))),
                Lines.write(new Lines.Step(new JournalEntry.Ended(unnamed))));
    Files.writeString(file(), older);
    assertThat(recover(BOOT).complete()).isTrue();
    assertThat(recover(BOOT).held().values())
        .containsExactly(
            new JournalEntry.Ended(unnamed),
            new JournalEntry.Started(id(2), WireId.NO_TASK, AT.toEpochMilli(), 4711));
  }

  @Test
  void file_stays_small_and_remembers_the_last_settled() throws IOException {
    JournalSettings small = new JournalSettings(20_000, 50);
    try (Journal journal = new Journal(file(), session, BOOT, small, recover(BOOT), Room.NONE)) {
      journal.append(List.of(prepared(0), started(0)));
      for (int i = 1; i <= 500; i++) {
        journal.append(List.of(prepared(i), started(i), ended(i), new JournalEntry.Settled(id(i))));
      }
      assertThat(Files.size(file())).isLessThan(25_000);
    }
    Recovered recovered = Journal.recover(file(), BOOT, small).recovered();
    assertThat(recovered.settled()).hasSize(50).contains(id(500), id(451));
    assertThat(recovered.held()).containsOnlyKeys(id(0));
  }

  @Test
  void crash_during_compaction_leaves_the_old_file() throws IOException {
    told(prepared(1));
    Files.writeString(temp.resolve("journal.ndjson.new"), "{\"journal\":1,\"bo");
    assertThat(recover(BOOT).held()).hasSize(1);
    restarted().close();
    assertThat(recover(BOOT).held()).hasSize(1);
  }

  @Test
  void begins_with_the_room_that_is_made_for_it_or_says_what_is_wrong() throws IOException {
    told(prepared(1));
    Path inTheWay = Files.createDirectories(temp.resolve("journal.ndjson.new"));
    assertThatThrownBy(this::restarted)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the journal " + file() + " cannot be written");
    Room room = failure -> inTheWay.toFile().delete();
    new Journal(file(), session, BOOT, SETTINGS, recover(BOOT), room).close();
    assertThat(recover(BOOT).held()).hasSize(1);
  }

  private void told(JournalEntry... entries) throws IOException {
    try (Journal journal = fresh()) {
      journal.lossReported();
      journal.append(List.of(entries));
    }
    assertThat(recover(BOOT).complete()).isTrue();
  }

  private Journal fresh() throws IOException {
    Files.deleteIfExists(file());
    return restarted();
  }

  private Journal restarted() throws IOException {
    return new Journal(file(), session, BOOT, SETTINGS, recover(BOOT), Room.NONE);
  }

  private Recovered recover(String boot) throws IOException {
    return Journal.recover(file(), boot, SETTINGS).recovered();
  }

  private Path file() {
    return temp.resolve("journal.ndjson");
  }

  private static DispatchId id(long n) {
    return new DispatchId(new UUID(7, n));
  }

  private static TaskId task(long n) {
    return new TaskId(new UUID(1, n));
  }

  private static JournalEntry prepared(long n) {
    return new JournalEntry.Prepared(id(n), task(n));
  }

  private static JournalEntry started(long n) {
    return new JournalEntry.Started(id(n), task(n), AT.toEpochMilli(), 4711);
  }

  private static JournalEntry ended(long n) {
    return new JournalEntry.Ended(finished(n));
  }

  private static Finished finished(long n) {
    return Finished.newBuilder()
        .setDispatchId(id(n).toString())
        .setTaskId(task(n).toString())
        .setEndedAtMs(5)
        .setDetail("it said \"no\"\n\u2028")
        .build();
  }
}
