package dev.belay.agent.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.agent.journal.Recovered.Died;
import dev.belay.agent.journal.Recovered.Dispatched;
import dev.belay.agent.journal.Recovered.Over;
import dev.belay.agent.journal.Recovered.Preparing;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  private static final String BOOT = "boot-1";
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final JournalSettings SETTINGS = JournalSettings.defaults();

  @TempDir Path temp;

  private final SessionId session = new SessionId(new UUID(9, 9));
  private final TaskId task = new TaskId(new UUID(1, 1));

  @Test
  void each_unsettled_dispatch_is_recovered_in_its_phase() throws IOException {
    try (Journal journal = fresh()) {
      journal.append(List.of(prepared(1), prepared(2), prepared(3), prepared(4)));
      journal.append(List.of(started(2), started(3), started(4)));
      journal.append(List.of(ended(3), ended(4)));
      journal.append(List.of(new Entry.Settled(id(4))));
    }
    Recovered recovered = recover(BOOT);
    assertThat(recovered.unsettled())
        .containsExactly(
            new Dispatched(id(1), Optional.of(task), new Preparing()),
            new Dispatched(id(2), Optional.of(task), new Died(AT, 4711)),
            new Dispatched(id(3), Optional.of(task), new Over(finished(3))));
    assertThat(recovered.settled()).containsExactly(id(4));
    assertThat(recovered.earlierSessions()).containsExactly(session);
  }

  @Test
  void nothing_is_lost_over_many_restarts() throws IOException {
    try (Journal journal = fresh()) {
      journal.append(List.of(prepared(1), started(1), ended(1), prepared(2), started(2)));
      journal.append(List.of(prepared(3), new Entry.Settled(id(9))));
    }
    List<Dispatched> first = recover(BOOT).unsettled();
    for (int restart = 0; restart < 3; restart++) {
      restarted().close();
    }
    assertThat(recover(BOOT).unsettled()).isEqualTo(first).hasSize(3);
    assertThat(recover(BOOT).settled()).containsExactly(id(9));
  }

  @Test
  void dispatch_that_started_once_may_not_start_again() throws IOException {
    try (Journal journal = fresh()) {
      journal.append(List.of(prepared(1), prepared(2), started(2), prepared(3), started(3)));
      journal.append(List.of(ended(3), new Entry.Settled(id(3))));
    }
    try (Journal journal = restarted()) {
      assertThat(journal.mayStart(id(1))).as("provably never started").isTrue();
      assertThat(journal.mayStart(id(2))).isFalse();
      assertThat(journal.mayStart(id(3))).isFalse();
      assertThat(journal.mayStart(id(4))).isTrue();
    }
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
    assertThat(recover("boot-2").unsettled()).hasSize(1);
    Journal.start(file(), session, "boot-2", SETTINGS, recover("boot-2")).close();
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
      assertThat(recovered.unsettled())
          .containsExactly(new Dispatched(id(1), Optional.of(task), new Preparing()));
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
      assertThat(recover(BOOT).unsettled()).isNotEmpty();
    }
    Files.write(file(), new byte[] {(byte) 0xff, 0, 10, (byte) 0xc3, 10});
    assertThat(recover(BOOT).complete()).isFalse();
    restarted().close();
    assertThat(Files.readString(file(), UTF_8)).startsWith("{\"journal\":1");
  }

  @Test
  void file_stays_small_and_remembers_the_last_settled() throws IOException {
    JournalSettings small = new JournalSettings(20_000, 50);
    try (Journal journal = Journal.start(file(), session, BOOT, small, recover(BOOT))) {
      journal.append(List.of(prepared(0), started(0)));
      for (int i = 1; i <= 500; i++) {
        journal.append(List.of(prepared(i), started(i), ended(i), new Entry.Settled(id(i))));
      }
      assertThat(Files.size(file())).isLessThan(25_000);
    }
    Recovered recovered = Journal.recover(file(), BOOT, small);
    assertThat(recovered.settled()).hasSize(50).contains(id(500), id(451));
    assertThat(recovered.unsettled()).extracting(Dispatched::dispatch).containsExactly(id(0));
  }

  @Test
  void crash_during_compaction_leaves_the_old_file() throws IOException {
    told(prepared(1));
    Files.writeString(temp.resolve("journal.ndjson.new"), "{\"journal\":1,\"bo");
    assertThat(recover(BOOT).unsettled()).hasSize(1);
    restarted().close();
    assertThat(recover(BOOT).unsettled()).hasSize(1);
  }

  @Test
  void begins_with_the_room_that_is_made_for_it_or_says_what_is_wrong() throws IOException {
    told(prepared(1));
    Path inTheWay = Files.createDirectories(temp.resolve("journal.ndjson.new"));
    assertThatThrownBy(this::restarted)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the journal " + file() + " cannot be written");
    Room room = failure -> inTheWay.toFile().delete();
    Journal.start(file(), session, BOOT, SETTINGS, recover(BOOT), room).close();
    assertThat(recover(BOOT).unsettled()).hasSize(1);
  }

  private void told(Entry... entries) throws IOException {
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
    return Journal.start(file(), session, BOOT, SETTINGS, recover(BOOT));
  }

  private Recovered recover(String boot) throws IOException {
    return Journal.recover(file(), boot, SETTINGS);
  }

  private Path file() {
    return temp.resolve("journal.ndjson");
  }

  private static DispatchId id(long n) {
    return new DispatchId(new UUID(7, n));
  }

  private Entry prepared(long n) {
    return new Entry.Prepared(id(n), task);
  }

  private static Entry started(long n) {
    return new Entry.Started(id(n), AT, 4711);
  }

  private static Entry ended(long n) {
    return new Entry.Ended(id(n), finished(n));
  }

  private static Finished finished(long n) {
    return Finished.newBuilder()
        .setDispatchId(id(n).toString())
        .setEndedAtMs(5)
        .setDetail("it said \"no\"\n\u2028")
        .build();
  }
}
