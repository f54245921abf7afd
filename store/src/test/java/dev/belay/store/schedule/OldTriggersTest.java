package dev.belay.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OldTriggersTest {

  private static final Duration RETENTION = Duration.ofDays(90);
  private static final String NOW = "2026-11-18T12:00:00Z";

  private final StoreFixture store = new StoreFixture();
  private final Ledger ledger = new Ledger(store);

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void old_rows_are_deleted_in_batches_and_young_ones_stay() {
    UUID trigger = ledger.trigger("w", "t", "timed");
    for (int day = 88; day <= 94; day++) {
      ledger.fired(trigger, minutes(day));
    }
    assertThat(forget(3)).isEqualTo(3);
    assertThat(forget(3)).isEqualTo(2);
    assertThat(forget(3)).isZero();
    assertThat(store.count("fire")).isEqualTo(2);
  }

  @Test
  void what_a_resume_would_decide_again_stays_while_the_pause_lasts() {
    UUID paused = ledger.trigger("w", "paused", "timed");
    UUID held = ledger.trigger("held", "t", "timed");
    UUID free = ledger.trigger("w", "free", "timed");
    for (UUID trigger : new UUID[] {paused, held, free}) {
      store.run(
          "UPDATE trigger_version SET spec = '{\"missed_age\": \"PT2880H\"}' WHERE trigger_id = '"
              + trigger
              + "'");
      ledger.skipped(trigger, minutes(100), minutes(100), "paused");
      ledger.skipped(trigger, minutes(121), minutes(121), "trigger_paused");
      ledger.skipped(trigger, minutes(101), minutes(101), "overlap");
    }
    store.run(
        "UPDATE trigger_version SET paused_at = belay_now(), paused_by = 'ann' WHERE trigger_id = '"
            + paused
            + "'",
        "INSERT INTO workflow_control (tenant, name, paused_at, paused_by)"
            + " VALUES ('default', 'held', belay_now(), 'ann')");
    assertThat(forget(100)).isEqualTo(7);
    assertThat(store.text("SELECT reason FROM fire")).isEqualTo("paused\npaused");
    store.run(
        "UPDATE trigger_version SET paused_at = NULL, paused_by = NULL, replay_from = from_at");
    store.run("UPDATE workflow_control SET paused_at = NULL, paused_by = NULL");
    assertThat(forget(100)).isZero();
    store.run("UPDATE trigger_version SET replay_from = NULL");
    assertThat(forget(100)).isEqualTo(2);
  }

  @Test
  void versions_that_ended_long_ago_are_deleted_unless_they_are_due() {
    UUID trigger = ledger.trigger("w", "t", "timed");
    UUID old = ledger.version(trigger, "timed", minutes(91));
    UUID due = ledger.version(trigger, "timed", minutes(92));
    ledger.version(trigger, "timed", minutes(89));
    store.run("UPDATE trigger_version SET due_at = NULL WHERE id <> '" + due + "'");
    assertThat(forgetVersions()).isEqualTo(1);
    assertThat(store.count("trigger_version WHERE id = '" + old + "'")).isZero();
    assertThat(store.count("trigger_version")).isEqualTo(3);
  }

  @Test
  void version_stays_as_long_as_an_event_or_the_end_of_a_run_waits_for_it() {
    for (String open : new String[] {"pending", "waiting"}) {
      UUID trigger = ledger.trigger("w", open, "event");
      UUID version = ledger.version(trigger, "event", minutes(91));
      store.run(
          "INSERT INTO event_fire (trigger_id, event_id, version_id, received_at, outcome) VALUES"
              + " ('%s', gen_random_uuid(), '%s', now(), '%s')".formatted(trigger, version, open));
    }
    UUID trigger = ledger.trigger("w", "chain", "workflow");
    UUID version = ledger.version(trigger, "workflow", minutes(91));
    store.run(
        "INSERT INTO chain_fire (trigger_id, upstream_run_id, generation, version_id, state,"
            + " logical_date, depth, ended_at, outcome) VALUES ('%s', gen_random_uuid(), 1, '%s',"
                .formatted(trigger, version)
            + " 'SUCCEEDED', now(), 0, now(), 'pending')");
    store.run("UPDATE trigger_version SET due_at = NULL");
    assertThat(forgetVersions()).isZero();
    store.run("DELETE FROM event_fire", "DELETE FROM chain_fire");
    assertThat(forgetVersions()).isEqualTo(3);
  }

  private int forgetVersions() {
    return store
        .jdbi()
        .inTransaction(
            handle -> {
              handle.execute("SELECT set_config('belay.now', ?, true)", NOW);
              return OldTriggers.forgetVersions(handle, RETENTION, 100);
            });
  }

  private int forget(int max) {
    return store
        .jdbi()
        .inTransaction(
            handle -> {
              handle.execute("SELECT set_config('belay.now', ?, true)", NOW);
              return OldTriggers.forgetFires(handle, RETENTION, max);
            });
  }

  private static int minutes(int days) {
    return days * 24 * 60 + 1;
  }
}
