package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.steer.BackfillSteer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Backfills, with the real phase, planner and run queue. */
abstract class BackfillContract extends Contract {

  BackfillContract(Ground ground) {
    super(ground);
  }

  /** Lets the open runs of it succeed, and returns for which instants they were. */
  private List<Instant> finish(BackfillId id, int exitCode) {
    stage.runs.plan();
    var dates = new ArrayList<Instant>();
    for (RunId run : stage.backfills.open(id)) {
      dates.add(date(run));
      stage.runs.finish(run, "a", exitCode);
    }
    stage.runs.plan();
    return dates;
  }

  private Instant date(RunId run) {
    return Instant.parse(
        String.valueOf(stage.runs.read(run).view().scope().run().get("logical_date")));
  }

  /** One round reads two. */
  @Test
  void old_backfills_that_cannot_go_on_hide_no_newer_one() {
    stage.runs.registerOne("{}");
    for (int i = 0; i < 4; i++) {
      stage.backfills.start(5, 1);
    }
    stage.backfills.advanceAll();
    var newer = stage.backfills.start(5, 1);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.open(newer)).hasSize(1);
  }

  @Test
  void backfill_keeps_its_concurrency_and_ends_when_its_runs_have() {
    stage.runs.registerOne("{}");
    var id = stage.backfills.start(5, 2);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.open(id)).hasSize(2);
    assertThat(finish(id, 0)).containsExactly(Backfills.day(0), Backfills.day(1));
    stage.backfills.advanceAll();
    assertThat(finish(id, 1)).containsExactly(Backfills.day(2), Backfills.day(3));
    stage.backfills.advanceAll();
    assertThat(stage.backfills.open(id)).hasSize(1);
    assertThat(stage.backfills.state(id)).isEqualTo(BackfillState.RUNNING);
    assertThat(finish(id, 0)).containsExactly(Backfills.day(4));
    stage.backfills.advanceAll();
    assertThat(stage.backfills.state(id)).isEqualTo(BackfillState.COMPLETED);
  }

  @Test
  void backfill_may_go_back() {
    stage.runs.registerOne("{}");
    var id = stage.backfills.start(3, 1, Existing.ALL, false);
    var dates = new ArrayList<Instant>();
    for (int i = 0; i < 3; i++) {
      stage.backfills.advanceAll();
      dates.addAll(finish(id, 0));
    }
    assertThat(dates).containsExactly(Backfills.day(2), Backfills.day(1), Backfills.day(0));
  }

  @Test
  void its_runs_neither_wait_for_max_active_nor_count_against_it() {
    stage.runs.registerOne("{max_active: 1}");
    var first = stage.runs.started();
    var id = stage.backfills.start(2, 2);
    stage.backfills.advanceAll();
    stage.runs.plan();
    var runs = stage.backfills.open(id);
    assertThat(stage.runs.states(runs)).containsOnly(RunState.RUNNING).hasSize(2);
    var second = stage.runs.started();
    assertThat(stage.runs.state(second)).isEqualTo(RunState.QUEUED);
    stage.runs.finish(first, "a", 0);
    stage.runs.plan();
    assertThat(stage.runs.state(second)).isEqualTo(RunState.RUNNING);
    stage.runs.finish(runs.getFirst(), "a", 0);
    var third = stage.runs.started();
    assertThat(stage.runs.state(third)).isEqualTo(RunState.QUEUED);
  }

  @Test
  void paused_workflow_holds_its_runs_and_a_resume_lets_them_all_go() {
    stage.runs.registerOne("{max_active: 1}");
    stage.runs.started();
    stage.runs.pause();
    var held = stage.runs.trigger();
    var id = stage.backfills.start(3, 3);
    stage.backfills.advanceAll();
    stage.runs.plan();
    assertThat(stage.runs.states(stage.backfills.open(id))).containsOnly(RunState.QUEUED);
    stage.runs.resume();
    stage.runs.plan();
    assertThat(stage.runs.states(stage.backfills.open(id)))
        .containsOnly(RunState.RUNNING)
        .hasSize(3);
    assertThat(stage.runs.state(held)).isEqualTo(RunState.QUEUED);
  }

  @Test
  void missing_leaves_out_instants_that_have_a_run_and_failed_repeats_failed_ones() {
    stage.runs.registerOne("{}");
    var ok = stage.backfills.start(1, 1);
    stage.backfills.advanceAll();
    finish(ok, 0);
    var failed = stage.backfills.start(2, 2, Existing.MISSING, true);
    stage.backfills.advanceAll();
    assertThat(finish(failed, 1)).containsExactly(Backfills.day(1));
    stage.backfills.advanceAll();
    assertThat(stage.backfills.state(failed)).isEqualTo(BackfillState.COMPLETED);
    var missing = stage.backfills.start(3, 3, Existing.MISSING, true);
    stage.backfills.advanceAll();
    assertThat(finish(missing, 0)).containsExactly(Backfills.day(2));
    var again = stage.backfills.start(3, 3, Existing.FAILED, true);
    stage.backfills.advanceAll();
    assertThat(finish(again, 0)).containsExactly(Backfills.day(1));
    var all = stage.backfills.start(3, 3, Existing.ALL, true);
    stage.backfills.advanceAll();
    assertThat(finish(all, 0)).hasSize(3);
  }

  private static final String DAILY = "{name: day, every: 1d, missed: fire_all}";

  @Test
  void instant_that_a_backfill_ran_before_the_schedule_decided_it_does_not_fire() {
    stage.schedules.register(DAILY);
    stage.clock.step(Backfills.DAY);
    var id = stage.backfills.start(2, 2, Existing.MISSING, true);
    stage.backfills.advanceAll();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:00 skipped backfill: " + id);
    assertThat(stage.runs.marked()).isEqualTo(stage.backfills.open(id)).hasSize(2);
  }

  @Test
  void instant_that_a_backfill_ran_during_a_pause_does_not_fire_after_it() {
    stage.schedules.register(DAILY);
    stage.schedules.pause("day");
    stage.clock.step(Backfills.DAY);
    stage.schedules.fire();
    stage.clock.step(Backfills.DAY);
    stage.schedules.fire();
    var id = stage.backfills.start(2, 2, Existing.MISSING, true);
    stage.backfills.advanceAll();
    stage.schedules.resume("day");
    stage.schedules.fire();
    assertThat(stage.schedules.ledger())
        .containsExactly("00:00 skipped backfill: " + id, "00:00 fired");
    assertThat(stage.runs.marked()).hasSize(3);
  }

  @Test
  void backfill_of_one_trigger_takes_no_instant_of_another() {
    stage.schedules.register(DAILY, "{name: other, every: 1d}");
    stage.clock.step(Backfills.DAY);
    var id = stage.backfills.startMissing(stage.schedules.trigger("other"), 2);
    stage.backfills.advanceAll();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger("day")).containsExactly("00:00 fired");
    assertThat(stage.schedules.ledger("other")).containsExactly("00:00 skipped backfill: " + id);
  }

  @Test
  void backfill_of_all_instants_takes_none_from_the_schedule() {
    stage.schedules.register(DAILY);
    stage.clock.step(Backfills.DAY);
    var id = stage.backfills.start(2, 2, Existing.ALL, true);
    stage.backfills.advanceAll();
    stage.schedules.fire();
    assertThat(stage.schedules.ledger()).containsExactly("00:00 fired");
    assertThat(stage.backfills.open(id)).hasSize(2);
  }

  @Test
  void backfill_without_missing_instants_is_completed_in_steps() {
    stage.runs.registerOne("{}");
    var first = stage.backfills.start(10, 10);
    stage.backfills.advanceAll();
    finish(first, 0);
    var second = stage.backfills.start(10, 1, Existing.MISSING, true);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.state(second)).isEqualTo(BackfillState.COMPLETED);
  }

  @Test
  void paused_backfill_creates_nothing_until_it_is_resumed() {
    stage.runs.registerOne("{}");
    var id = stage.backfills.start(3, 1);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.pause(id)).isInstanceOf(BackfillSteer.Done.class);
    finish(id, 0);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.open(id)).isEmpty();
    stage.backfills.resume(id);
    stage.backfills.advanceAll();
    assertThat(finish(id, 0)).containsExactly(Backfills.day(1));
  }

  @Test
  void cancelled_backfill_ends_its_queued_runs_and_its_running_ones_continue() {
    stage.runs.registerOne("{}");
    var id = stage.backfills.start(5, 2);
    stage.backfills.advanceAll();
    stage.runs.plan();
    var running = stage.backfills.open(id);
    stage.runs.finish(running.getFirst(), "a", 0);
    stage.runs.plan();
    stage.backfills.advanceAll();
    var queued = stage.backfills.open(id).getLast();
    assertThat(stage.backfills.cancel(id))
        .isEqualTo(new BackfillSteer.Done(BackfillState.CANCELLED, 1));
    stage.runs.plan();
    assertThat(stage.path(queued)).containsExactly("QUEUED", "CANCELLED");
    assertThat(stage.runs.state(running.get(1))).isEqualTo(RunState.RUNNING);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.open(id)).containsExactly(running.get(1));
    assertThat(stage.backfills.resume(id))
        .isEqualTo(new BackfillSteer.Refused(BackfillState.CANCELLED));
    assertThat(stage.backfills.cancelWithRuns(id)).isInstanceOf(BackfillSteer.Done.class);
    stage.runs.plan();
    assertThat(stage.backfills.open(id)).isEmpty();
  }

  @Test
  void cancel_of_a_completed_or_unknown_backfill_is_refused() {
    stage.runs.registerOne("{}");
    var id = stage.backfills.start(1, 1);
    stage.backfills.advanceAll();
    finish(id, 0);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.cancel(id))
        .isEqualTo(new BackfillSteer.Refused(BackfillState.COMPLETED));
    assertThat(stage.backfills.cancel(new BackfillId(new UUID(0, 1))))
        .isEqualTo(new BackfillSteer.NotFound());
  }

  @Test
  void backfill_whose_parameters_are_refused_ends_and_stops_no_other() {
    stage.runs.registerOne("{}");
    stage.backfills.refused = Backfills.day(1);
    var broken = stage.backfills.start(2, 2);
    var other = stage.backfills.start(1, 1);
    stage.backfills.advanceAll();
    assertThat(stage.backfills.state(broken)).isEqualTo(BackfillState.CANCELLED);
    assertThat(stage.backfills.open(broken)).isEmpty();
    assertThat(stage.backfills.open(other)).hasSize(1);
  }
}
