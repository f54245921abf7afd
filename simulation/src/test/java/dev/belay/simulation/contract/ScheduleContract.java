package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.engine.schedule.RunParams.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timed triggers, their ledger and their runs. It is midnight at first. */
abstract class ScheduleContract extends Contract {
  private static final String TEN = "{name: ten, every: 10m}";
  private static final String TEN_ALL = "{name: ten, every: 10m, missed: fire_all}";

  ScheduleContract(Ground ground) {
    super(ground);
  }

  @Test
  void instant_fires_once_when_it_is_due_and_not_before() {
    stage.schedules.register(TEN);
    assertThat(stage.schedules.fireAt("00:09:59.750")).isEqualTo(Duration.ofMillis(250));
    assertThat(stage.schedules.ledger()).isEmpty();
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
    var run = stage.schedules.runs().getFirst();
    assertThat(stage.path(run)).containsExactly("QUEUED");
    assertThat(stage.schedules.facts(run).logicalDate())
        .isEqualTo(Instant.parse("2026-01-01T00:10:00Z"));
    assertThat(stage.schedules.facts(run).cause().trigger()).isNotNull();
    assertThat(stage.runs.marked()).containsExactly(run);
  }

  @Test
  void loop_sleeps_until_the_next_instant_or_its_poll() {
    stage.schedules.register(TEN);
    assertThat(stage.schedules.fire()).isEqualTo(Duration.ofSeconds(1));
    assertThat(stage.schedules.fireAt("00:09:59.999")).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void late_instant_keeps_its_name_and_says_how_late_it_was() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:10:42");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
    assertThat(stage.schedules.lateness()).containsExactly(Duration.ofSeconds(42));
  }

  @Test
  void missed_instants_are_skipped() {
    stage.schedules.register("{every: 10m, missed: skip}");
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 skipped missed", "00:20 skipped missed", "00:30 fired");
  }

  @Test
  void newest_missed_instant_fires_for_all() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:35:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 coalesced 00:30", "00:20 coalesced 00:30", "00:30 fired");
    assertThat(stage.schedules.runs()).hasSize(1);
  }

  /** One transaction decides at most four of them. */
  @Test
  void backlog_is_longer_than_a_batch() {
    stage.schedules.register("{every: 10m, missed: fire_all, missed_max: 3, missed_age: 1d}");
    stage.schedules.fireAt("01:55:00");
    assertThat(stage.schedules.ledger())
        .hasSize(11)
        .containsSequence("01:20 skipped missed", "01:30 fired", "01:40 fired", "01:50 fired");
    assertThat(stage.schedules.runs()).hasSize(3);
    assertThat(stage.schedules.cursors()).containsExactly("02:00");
  }

  @Test
  void triggers_of_a_workflow_fire_by_themselves() {
    stage.schedules.register(
        TEN, "{name: cron, cron: \"*/15 * * * *\"}", "{name: once, at: \"2026-01-01T00:12:00\"}");
    stage.schedules.fireAt("00:15:30");
    assertThat(stage.schedules.ledger("ten")).containsExactly("00:10 fired");
    assertThat(stage.schedules.ledger("cron")).containsExactly("00:15 fired");
    assertThat(stage.schedules.ledger("once")).containsExactly("00:12 fired");
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger("once")).containsExactly("00:12 fired");
  }

  /** More than one batch of three. */
  @Test
  void many_triggers_are_due_at_once() {
    stage.schedules.register(
        "{name: a, every: 10m}",
        "{name: b, every: 10m}",
        "{name: c, every: 10m}",
        "{name: d, every: 10m}",
        "{name: e, every: 10m}");
    stage.schedules.fireAt("00:10:00");
    assertThat(stage.schedules.runs()).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void jitter_delays_the_run_and_not_its_date() {
    stage.schedules.register("{every: 10m, jitter: 5m}");
    stage.schedules.fireAt("00:10:00");
    assertThat(stage.schedules.ledger()).isEmpty();
    stage.schedules.fireAt("00:15:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
    assertThat(stage.schedules.lateness().getFirst()).isLessThan(Duration.ofMinutes(5));
    assertThat(stage.schedules.facts(stage.schedules.runs().getFirst()).logicalDate())
        .isEqualTo(Instant.parse("2026-01-01T00:10:00Z"));
  }

  // When max_active is reached.

  @Test
  void queued_runs_wait_for_their_turn() {
    stage.schedules.registerLimited("{max_active: 1}", TEN_ALL);
    stage.schedules.fireAt("00:20:00");
    stage.runs.plan();
    assertThat(stage.runs.states(stage.schedules.runs()))
        .containsExactly(RunState.RUNNING, RunState.QUEUED);
  }

  @Test
  void overlapping_instant_is_skipped() {
    stage.schedules.registerLimited("{max_active: 1, overlap: skip}", TEN);
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 skipped overlap");
    stage.runs.plan();
    stage.runs.finish(stage.schedules.runs().getFirst(), "a", 0);
    stage.runs.plan();
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("00:30 fired");
  }

  @Test
  void runs_of_people_count_too() {
    stage.schedules.registerLimited("{max_active: 2, overlap: skip}", TEN_ALL);
    stage.runs.trigger();
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 fired", "00:20 skipped overlap", "00:30 skipped overlap");
  }

  @Test
  void overlapping_instant_cancels_the_oldest_run() {
    stage.schedules.registerLimited("{max_active: 1, overlap: cancel_running}", TEN);
    var person = stage.runs.started();
    stage.schedules.fireAt("00:10:00");
    stage.runs.plan();
    assertThat(stage.path(person)).containsExactly("QUEUED", "RUNNING", "CANCELLED");
    stage.schedules.fireAt("00:20:00");
    stage.runs.plan();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
    assertThat(stage.runs.states(stage.schedules.runs()))
        .containsExactly(RunState.CANCELLED, RunState.RUNNING);
  }

  @Test
  void of_several_that_would_cancel_each_other_the_newest_remain() {
    stage.schedules.registerLimited("{max_active: 2, overlap: cancel_running}", TEN_ALL);
    stage.schedules.fireAt("00:40:00");
    assertThat(stage.schedules.ledger())
        .containsExactly(
            "00:10 skipped overlap", "00:20 skipped overlap", "00:30 fired", "00:40 fired");
  }

  @Test
  void allowed_overlap_does_not_wait_or_count() {
    stage.schedules.registerLimited("{max_active: 1, overlap: allow}", TEN_ALL);
    stage.schedules.fireAt("00:20:00");
    var person = stage.runs.trigger();
    stage.runs.plan();
    assertThat(stage.runs.states(stage.schedules.runs()))
        .containsExactly(RunState.RUNNING, RunState.RUNNING);
    assertThat(stage.runs.state(person)).isEqualTo(RunState.RUNNING);
  }

  // Pauses.

  @Test
  void paused_workflow_skips_its_instants_and_the_newest_fires_at_resume() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:10:00");
    stage.runs.pause();
    stage.schedules.fireAt("00:20:00");
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 fired", "00:20 skipped paused", "00:30 skipped paused");
    stage.schedules.stepTo("00:32:00");
    stage.runs.resume();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 fired", "00:20 coalesced 00:30", "00:30 fired");
    assertThat(stage.schedules.runs()).hasSize(2);
    stage.schedules.fireAt("00:40:00");
    assertThat(stage.schedules.ledger()).hasSize(4).last().isEqualTo("00:40 fired");
  }

  @Test
  void instants_that_were_due_before_the_pause_are_replayed_too() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.stepTo("00:11:00");
    stage.runs.pause();
    stage.schedules.fireAt("00:21:00");
    stage.runs.resume();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void paused_trigger_skips_its_instants_and_the_others_fire() {
    stage.schedules.register(TEN_ALL, "{name: other, every: 10m}");
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger("ten"))
        .containsExactly("00:10 skipped trigger_paused", "00:20 skipped trigger_paused");
    assertThat(stage.schedules.ledger("other")).containsExactly("00:10 fired", "00:20 fired");
    stage.schedules.resume("ten");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger("ten")).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void skipping_trigger_stays_as_it_was_after_its_pause() {
    stage.schedules.register("{name: ten, every: 10m, missed: skip}");
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.resume("ten");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped trigger_paused");
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("00:20 fired");
  }

  @Test
  void trigger_that_is_paused_twice_waits_for_both() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.runs.pause();
    stage.schedules.fireAt("00:10:00");
    stage.schedules.resume("ten");
    stage.schedules.fire();
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 skipped trigger_paused", "00:20 skipped paused");
    stage.runs.resume();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void replay_waits_for_the_end_of_the_next_pause() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.resume("ten");
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:20:00");
    stage.schedules.resume("ten");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void changed_trigger_stays_paused_and_replays_what_its_earlier_version_skipped() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.register("{name: ten, every: 15m, missed: fire_all}");
    stage.schedules.fireAt("00:15:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 skipped trigger_paused", "00:15 skipped trigger_paused");
    stage.schedules.resume("ten");
    stage.schedules.register("{name: ten, every: 20m, missed: fire_all}");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:15 fired");
  }

  /** Both have something to do, and the replay is done once. */
  @Test
  void version_that_ended_with_instants_left_does_not_replay_what_the_next_one_replays() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.stepTo("00:20:30");
    stage.schedules.resume("ten");
    stage.schedules.register("{name: ten, every: 15m, missed: fire_all}");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
    assertThat(stage.schedules.runs()).hasSize(2);
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("00:30 fired");
  }

  @Test
  void resume_reaches_instants_that_an_earlier_version_has_left() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.schedules.stepTo("00:10:30");
    stage.schedules.register("{name: ten, every: 15m, missed: fire_all}");
    stage.schedules.resume("ten");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
  }

  // Changes of the file.

  @Test
  void changed_expression_decides_by_the_old_one_up_to_the_change() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.stepTo("00:21:00");
    stage.schedules.register("{name: ten, every: 15m, missed: fire_all}");
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 fired", "00:20 fired", "00:30 fired");
    stage.schedules.fireAt("00:45:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("00:45 fired");
    assertThat(stage.schedules.runs()).hasSize(4);
  }

  @Test
  void file_that_changes_something_else_keeps_the_cursor() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.fireAt("00:10:00");
    stage.schedules.registerLimited("{max_active: 5}", TEN_ALL);
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
  }

  @Test
  void removed_trigger_decides_what_was_due_and_no_more() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:10:30");
    stage.schedules.registerNone();
    stage.schedules.stepTo("00:10:40");
    stage.schedules.fire();
    stage.schedules.fireAt("01:00:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
  }

  @Test
  void renamed_trigger_is_another_one() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:10:30");
    stage.schedules.register("{name: new, every: 10m}");
    stage.schedules.fire();
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger("ten")).containsExactly("00:10 fired");
    assertThat(stage.schedules.ledger("new")).containsExactly("00:20 fired");
  }

  @Test
  void trigger_that_comes_back_has_its_ledger_and_begins_now() {
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:10:00");
    stage.schedules.registerNone();
    stage.schedules.fireAt("00:35:00");
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:40:00");
    assertThat(stage.schedules.ledger("ten")).containsExactly("00:10 fired", "00:40 fired");
  }

  @Test
  void deleted_workflow_starts_nothing_and_says_so() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:10:30");
    stage.schedules.delete();
    stage.schedules.fireAt("00:30:00");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped workflow_deleted");
    assertThat(stage.runs.marked()).isEmpty();
    stage.schedules.register(TEN);
    stage.schedules.fireAt("00:40:00");
    assertThat(stage.schedules.ledger())
        .containsExactly("00:10 skipped workflow_deleted", "00:40 fired");
  }

  // Parameters.

  @Test
  void parameters_that_do_not_fit_skip_the_instant_and_the_next_one_may_fire() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:10:00");
    stage.schedules.phase(new Answer.Refused("n is no number")).runOnce();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped params: n is no number");
    stage.schedules.fireAt("00:20:00");
    assertThat(stage.schedules.ledger()).last().isEqualTo("00:20 fired");
  }

  @Test
  void parameters_that_cannot_be_computed_now_leave_the_instant_due() {
    stage.schedules.register(TEN);
    stage.schedules.stepTo("00:10:00");
    stage.schedules.phase(new Answer.Busy()).runOnce();
    assertThat(stage.schedules.ledger()).isEmpty();
    stage.schedules.fireAt("00:10:01");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
  }

  @Test
  void replay_is_not_lost_while_parameters_cannot_be_computed() {
    stage.schedules.register(TEN_ALL);
    stage.schedules.pause("ten");
    stage.schedules.fireAt("00:10:00");
    stage.schedules.resume("ten");
    stage.schedules.phase(new Answer.Busy()).runOnce();
    stage.schedules.fireAt("00:10:01");
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
  }

  @Test
  void leader_that_was_deposed_decides_nothing() {
    stage.schedules.register(TEN);
    var old = stage.election("r1");
    stage.epoch = old.campaign().orElseThrow();
    old.resign();
    var next = stage.election("r2").campaign().orElseThrow();
    stage.schedules.fireAt("00:10:00");
    assertThat(stage.schedules.ledger()).isEmpty();
    assertThat(stage.schedules.cursors()).isEqualTo(List.of("00:10"));
    stage.epoch = next;
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
  }
}
