package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.engine.schedule.RunParams.Answer;
import org.junit.jupiter.api.Test;

/** A leader that fires, and somebody else who writes about the same trigger or workflow. */
abstract class ScheduleRaceContract extends RaceContract {

  private static final String TEN = "{name: ten, every: 10m, missed: fire_all}";
  private static final String FIVE = "{name: ten, every: 5m, missed: fire_all}";

  ScheduleRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void of_two_that_fire_one_does() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          var other = stage.schedules.phase(new Answer.Resolved("{}"));
          stage.race(Contended.triggers(), stage.schedules::fire, other::runOnce);
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          assertThat(stage.schedules.runs()).hasSize(1);
          assertThat(stage.schedules.cursors()).containsExactly("00:20");
          stage.schedules.fireAt("00:20:00");
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
        });
  }

  @Test
  void fire_behind_a_change_of_the_file_decides_by_the_old_one() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(
              Contended.triggers(), () -> stage.schedules.register(FIVE), stage.schedules::fire);
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          stage.schedules.fireAt("00:15:00");
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:15 fired");
        });
  }

  /** Then the instant that the leader is about to decide belongs to the new version. */
  @Test
  void fire_behind_a_change_of_the_file_at_an_earlier_time_decides_nothing() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(
              Contended.epochLock().onlyBySecond(),
              () -> stage.schedules.stepTo("00:02:00") && stage.schedules.register(FIVE),
              stage.schedules::fire);
          assertThat(stage.schedules.ledger()).isEmpty();
          stage.schedules.fireAt("00:10:00");
          assertThat(stage.schedules.ledger()).containsExactly("00:05 fired", "00:10 fired");
          stage.schedules.fireAt("00:15:00");
          assertThat(stage.schedules.ledger()).last().isEqualTo("00:15 fired");
        });
  }

  /** Even after a step of the clock the new version begins where the ledger ends. */
  @Test
  void change_of_the_file_behind_a_fire_begins_after_it() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(
              Contended.triggers(),
              () ->
                  stage.schedules.stepTo("00:10:00")
                      && stage.schedules.fireFirst()
                      && stage.schedules.stepTo("00:02:00"),
              () -> stage.schedules.stepTo("00:02:00") && stage.schedules.register(FIVE));
          stage.schedules.fireAt("00:10:00");
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          stage.schedules.fireAt("00:15:00");
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:15 fired");
        });
  }

  @Test
  void fire_behind_a_pause_of_its_trigger_skips_the_instant() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(
              Contended.triggers(), () -> stage.schedules.pause("ten"), stage.schedules::fire);
          assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped trigger_paused");
          assertThat(stage.runs.marked()).isEmpty();
        });
  }

  @Test
  void pause_of_a_trigger_behind_a_fire_stops_the_next_one() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(
              Contended.triggers(), stage.schedules::fireFirst, () -> stage.schedules.pause("ten"));
          stage.schedules.fireAt("00:20:00");
          assertThat(stage.schedules.ledger())
              .containsExactly("00:10 fired", "00:20 skipped trigger_paused");
        });
  }

  @Test
  void fire_behind_a_resume_of_its_trigger_fires() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.pause("ten");
          stage.schedules.fireAt("00:10:00");
          stage.schedules.stepTo("00:20:00");
          stage.race(
              Contended.triggers(), () -> stage.schedules.resume("ten"), stage.schedules::fire);
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
        });
  }

  @Test
  void fire_behind_a_resume_of_its_workflow_forgets_no_instant() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.runs.pause();
          stage.schedules.fireAt("00:10:00");
          stage.schedules.stepTo("00:20:00");
          stage.race(Contended.triggers(), stage.runs::resume, stage.schedules::fire);
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired", "00:20 fired");
          assertThat(stage.schedules.runs()).hasSize(2);
        });
  }

  @Test
  void of_two_that_replay_a_pause_one_does() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.pause("ten");
          stage.schedules.fireAt("00:10:00");
          stage.schedules.resume("ten");
          var other = stage.schedules.phase(new Answer.Resolved("{}"));
          stage.race(Contended.triggers(), stage.schedules::fire, other::runOnce);
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          assertThat(stage.runs.marked()).isEqualTo(stage.schedules.runs()).hasSize(1);
        });
  }

  @Test
  void fire_behind_the_delete_of_its_workflow_starts_nothing() {
    inEveryWay(
        stage -> {
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          stage.race(Contended.triggers(), stage.schedules::delete, stage.schedules::fire);
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:10 skipped workflow_deleted");
          assertThat(stage.runs.marked()).isEmpty();
        });
  }

  @Test
  void fire_that_waits_for_a_place_sees_the_run_that_a_person_started_meanwhile() {
    inEveryWay(
        stage -> {
          stage.schedules.registerLimited("{max_active: 1, overlap: skip}", TEN);
          stage.schedules.stepTo("00:10:00");
          var raced =
              stage.race(
                  Contended.workflows().onlyBySecond(), stage.runs::trigger, stage.schedules::fire);
          assertThat(stage.schedules.ledger()).hasSize(1);
          assertThat(stage.runs.marked()).contains(raced.first());
          stage.runs.plan();
          // in memory the person may also come when the place is taken
          boolean taken = stage.schedules.ledger().contains("00:10 fired");
          assertThat(stage.runs.state(raced.first()))
              .isEqualTo(taken ? RunState.QUEUED : RunState.RUNNING);
        });
  }

  @Test
  void fire_behind_the_end_of_a_run_has_its_place() {
    inEveryWay(
        stage -> {
          stage.schedules.registerLimited("{max_active: 1, overlap: skip}", TEN);
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var end = stage.runs.intend(run);
          stage.schedules.stepTo("00:10:00");
          stage.race(Contended.workflows(), end::apply, stage.schedules::fire);
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          stage.runs.plan();
          assertThat(stage.runs.states(stage.schedules.runs())).containsExactly(RunState.RUNNING);
        });
  }

  @Test
  void start_of_a_run_behind_a_fire_that_counts_keeps_the_limit() {
    inEveryWay(
        stage -> {
          stage.schedules.registerLimited("{max_active: 1, overlap: cancel_running}", TEN);
          var run = stage.runs.trigger();
          var start = stage.runs.intend(run);
          stage.schedules.stepTo("00:10:00");
          stage.race(Contended.workflows(), stage.schedules::fireFirst, start::apply);
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.CANCELLED);
          assertThat(stage.runs.states(stage.schedules.runs())).containsExactly(RunState.RUNNING);
        });
  }

  @Test
  void deposed_leader_fires_nothing() {
    inEveryWay(
        stage -> {
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          stage.schedules.register(TEN);
          stage.schedules.stepTo("00:10:00");
          var raced = stage.race(Contended.epochLock(), next::campaign, stage.schedules::fire);
          assertThat(stage.schedules.ledger()).hasSizeLessThan(2);
          stage.epoch = raced.first().orElseThrow();
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:10 fired");
          assertThat(stage.runs.marked()).isEqualTo(stage.schedules.runs()).hasSize(1);
        });
  }
}
