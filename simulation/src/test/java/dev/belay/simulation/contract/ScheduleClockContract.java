package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Timed triggers while somebody sets the database's clock. It is midnight at first. */
abstract class ScheduleClockContract extends Contract {
  private static final String TEN = "{name: ten, every: 10m}";
  private static final String TEN_ALL = "{name: ten, every: 10m, missed: fire_all}";

  ScheduleClockContract(Ground ground) {
    super(ground);
  }

  @Test
  void clock_that_is_set_back_repeats_nothing() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.fireAt("01:00:00");
    assertThat(stage.schedules.ledger()).hasSize(6);
    stage.schedules.fireAt("00:01:00");
    stage.schedules.fireAt("00:31:00");
    stage.schedules.fireAt("01:01:00");
    assertThat(stage.schedules.ledger()).hasSize(6);
    stage.schedules.fireAt("01:10:00");
    assertThat(stage.schedules.ledger()).hasSize(7).last().isEqualTo("01:10 fired");
  }

  @Test
  void clock_that_is_set_forward_misses_instants() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fireAt("01:10:00");
    assertThat(stage.schedules.ledger())
        .hasSize(7)
        .contains("00:20 coalesced 01:10", "01:00 coalesced 01:10")
        .last()
        .isEqualTo("01:10 fired");
    stage.schedules.fireAt("00:15:00");
    stage.schedules.fireAt("01:19:00");
    assertThat(stage.schedules.ledger()).hasSize(7);
  }

  @Test
  void file_that_changes_after_the_clock_was_set_back_begins_where_the_ledger_ends() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.fireAt("00:30:00");
    stage.schedules.stepTo("00:05:00");
    stage.schedules.register("{name: ten, every: 5m, missed: fire_all}");
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger()).hasSize(3);
    stage.schedules.fireAt("00:35:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 fired", "00:20 fired", "00:30 fired", "00:35 fired");
  }

  /** The first version still has 00:10 to decide when the third one begins. */
  @Test
  void versions_have_no_instant_in_common_after_the_clock_was_set_back() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.stepTo("00:11:00");
    stage.schedules.register("{name: ten, every: 30m}");
    stage.schedules.stepTo("00:02:00");
    stage.schedules.register("{name: ten, every: 5m, missed: fire_all}");
    stage.schedules.fireAt("00:11:00");
    stage.schedules.fireAt("00:15:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:15 fired");
  }

  @Test
  void changed_trigger_stays_paused_after_the_clock_was_set_back() {
    stage.schedules.stepTo("01:00:00");
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:02:00");
    stage.schedules.register("{name: ten, every: 5m}");
    stage.schedules.pause("ten");
    stage.schedules.register(TEN_ALL);
    stage.schedules.fireAt("00:10:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped trigger_paused");
  }

  /** One look decides 16 instants, and the clock is set back before the next one. */
  @Test
  void instant_that_fires_for_earlier_ones_is_not_lost_when_the_file_changes() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("03:25:00");
    assertThat(stage.schedules.ledger()).hasSize(16).last().isEqualTo("02:40 coalesced 03:20");
    stage.schedules.stepTo("02:45:00");
    stage.schedules.register("{name: ten, every: 15m}");
    stage.schedules.fireAt("03:25:00");
    assertThat(stage.schedules.ledger())
        .hasSize(20)
        .endsWith("03:10 coalesced 03:20", "03:20 fired");
    stage.schedules.fireAt("03:30:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("03:30 fired");
  }

  @Test
  void instant_that_fires_for_earlier_ones_is_not_lost_when_its_trigger_is_dropped() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("03:25:00");
    stage.schedules.stepTo("02:55:00");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).last().isEqualTo("02:50 fired");
    stage.schedules.registerNone();
    stage.schedules.fireAt("03:25:00");
    assertThat(stage.schedules.ledger()).hasSize(20).last().isEqualTo("03:20 fired");
    stage.schedules.fireAt("03:55:00");
    assertThat(stage.schedules.ledger()).hasSize(20);
  }

  @Test
  void resume_does_not_delay_what_is_overdue_when_the_clock_is_set_back_after_it() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:35:00");
    stage.schedules.pause("ten");
    stage.schedules.resume("ten");
    stage.schedules.stepTo("00:05:00");
    stage.schedules.fireAt("00:10:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
    stage.schedules.stepTo("00:35:00");
    stage.runs.pause();
    stage.runs.resume();
    stage.schedules.stepTo("00:15:00");
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void instants_that_a_paused_trigger_skipped_after_the_clock_was_set_back_are_replayed() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("01:00:00");
    stage.schedules.pause("ten");
    stage.schedules.stepTo("00:05:00");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fireAt("00:20:00");
    stage.schedules.resume("ten");
    stage.schedules.fireAt("00:21:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 coalesced 00:20", "00:20 fired");
  }

  @Test
  void instants_that_a_paused_workflow_skipped_after_the_clock_was_set_back_are_replayed() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("01:00:00");
    stage.runs.pause();
    stage.schedules.stepTo("00:05:00");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fireAt("00:20:00");
    stage.runs.resume();
    stage.schedules.fireAt("00:21:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 coalesced 00:20", "00:20 fired");
  }
}
