package dev.belay.store.schedule;

import static dev.belay.store.schedule.Ledger.ago;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.engine.schedule.TriggerPauses;
import dev.belay.engine.statement.PauseStatements.TriggerName;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggerPausesTest {

  private static final TriggerName NIGHTLY = new TriggerName("default", "w", "nightly");

  private final LiveStore store = new LiveStore();
  private final Ledger ledger = new Ledger(store.rows());
  private final TriggerPauses pauses = new TriggerPauses(store.transactions, store.rows().hints());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void pause_is_kept_with_its_first_person() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    var paused = pauses.pause(NIGHTLY, "ann").orElseThrow();
    assertThat(paused.pausedBy()).isEqualTo("ann");
    assertThat(paused.pausedAt()).isNotNull();
    assertThat(paused.id().value()).isEqualTo(trigger);
    assertThat(pauses.pause(NIGHTLY, "bob")).hasValue(paused);
  }

  @Test
  void what_a_workflow_does_not_have_cannot_be_paused() {
    UUID other = ledger.trigger("other", "nightly", "timed");
    assertThat(pauses.pause(NIGHTLY, "ann")).isEmpty();
    UUID dropped = ledger.trigger("w", "nightly", "timed");
    store
        .rows()
        .run("UPDATE trigger_version SET until_at = from_at WHERE trigger_id = '" + dropped + "'");
    assertThat(pauses.pause(NIGHTLY, "ann")).isEmpty();
    assertThat(pauses.resume(NIGHTLY, "ann")).isEmpty();
    assertThat(store.rows().count("trigger_version WHERE paused_at IS NOT NULL")).isZero();
    assertThat(ledger.live(other, "paused_by")).isEmpty();
  }

  @Test
  void check_of_a_promise_has_no_pause_of_its_own() {
    UUID check = ledger.trigger("w", "nightly", "expect_by");
    assertThat(pauses.pause(NIGHTLY, "ann")).isEmpty();
    assertThat(ledger.live(check, "paused_at")).isEmpty();
  }

  @Test
  void resumed_trigger_is_due_and_decides_again_from_the_pause_on() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    ledger.fired(trigger, 31);
    ledger.fired(trigger, 30);
    paused(trigger, 29);
    ledger.skipped(trigger, 20, 20, "trigger_paused");
    store.rows().hinted().clear();
    var resumed = pauses.resume(NIGHTLY, "ann").orElseThrow();
    assertThat(resumed.pausedAt()).isNull();
    assertThat(ledger.live(trigger, "replay_from = " + ago(30))).isEqualTo("true");
    assertThat(ledger.live(trigger, "due_at <= belay_now()")).isEqualTo("true");
    assertThat(store.rows().hinted()).contains("triggersChanged");
    assertThat(pauses.resume(NIGHTLY, "ann")).hasValue(resumed);
    assertThat(store.rows().hinted()).containsExactly("triggersChanged");
  }

  /** No leader decided for ten minutes; then a person paused. */
  @Test
  void instants_that_were_due_before_the_pause_are_decided_again_too() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    ledger.fired(trigger, 40);
    paused(trigger, 30);
    for (int at = 39; at > 20; at--) {
      ledger.skipped(trigger, at, 20, "trigger_paused");
    }
    pauses.resume(NIGHTLY, "ann");
    assertThat(ledger.live(trigger, "replay_from = " + ago(40))).isEqualTo("true");
  }

  @Test
  void trigger_that_was_never_decided_starts_at_its_pause() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    paused(trigger, 30);
    pauses.resume(NIGHTLY, "ann");
    assertThat(ledger.live(trigger, "replay_from = " + ago(30))).isEqualTo("true");
  }

  @Test
  void file_that_changed_in_the_pause_hides_no_instant() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    paused(trigger, 30);
    ledger.skipped(trigger, 35, 20, "trigger_paused");
    ledger.skipped(trigger, 34, 20, "trigger_paused");
    store.rows().run("UPDATE trigger_version SET from_at = " + ago(10));
    pauses.resume(NIGHTLY, "ann");
    assertThat(ledger.live(trigger, "replay_from = " + ago(35))).isEqualTo("true");
  }

  @Test
  void earlier_replay_that_nobody_did_yet_is_kept() {
    UUID trigger = ledger.trigger("w", "nightly", "timed");
    ledger.fired(trigger, 31);
    paused(trigger, 30);
    store.rows().run("UPDATE trigger_version SET replay_from = " + ago(50));
    pauses.resume(NIGHTLY, "ann");
    assertThat(ledger.live(trigger, "replay_from = " + ago(50))).isEqualTo("true");
  }

  @Test
  void trigger_without_times_is_only_released() {
    UUID trigger = ledger.trigger("w", "nightly", "workflow");
    paused(trigger, 30);
    pauses.resume(NIGHTLY, "ann");
    assertThat(ledger.live(trigger, "num_nulls(replay_from, due_at, paused_at)")).isEqualTo("3");
  }

  @Test
  void resumed_workflow_has_its_triggers_decide_again() {
    new Planning(store).registerOne("w", "{}");
    UUID timed = ledger.trigger("w", "nightly", "timed");
    UUID own = ledger.trigger("w", "own", "timed");
    UUID event = ledger.trigger("w", "event", "event");
    UUID elsewhere = ledger.trigger("v", "nightly", "timed");
    ledger.fired(timed, 31);
    paused(own, 20);
    store.steering.pause("default", "w", "ann");
    store.rows().run("UPDATE workflow_control SET paused_at = " + ago(30) + " WHERE name = 'w'");
    store.steering.resume("default", "w", "ann");
    assertThat(ledger.live(timed, "replay_from = " + ago(31))).isEqualTo("true");
    assertThat(ledger.live(timed, "due_at <= belay_now()")).isEqualTo("true");
    assertThat(ledger.live(own, "paused_at IS NOT NULL AND replay_from = " + ago(30)))
        .isEqualTo("true");
    assertThat(ledger.live(own, "due_at = next_at")).isEqualTo("true");
    assertThat(ledger.live(event, "num_nulls(replay_from, due_at)")).isEqualTo("2");
    assertThat(ledger.live(elsewhere, "replay_from IS NULL")).isEqualTo("true");
    store.steering.resume("default", "w", "ann");
    assertThat(ledger.live(elsewhere, "replay_from IS NULL")).isEqualTo("true");
  }

  private void paused(UUID trigger, int minutes) {
    store
        .rows()
        .run(
            "UPDATE trigger_version SET paused_at = %s, paused_by = 'ann' WHERE trigger_id = '%s'"
                .formatted(ago(minutes), trigger));
  }
}
