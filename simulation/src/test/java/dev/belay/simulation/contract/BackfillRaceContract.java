package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.run.RunState;
import dev.belay.engine.steer.BackfillSteer;
import org.junit.jupiter.api.Test;

/** A backfill that advances or whose runs start, and somebody else who stops it. */
abstract class BackfillRaceContract extends RaceContract {

  private static final String DAILY = "{name: day, every: 1d, missed: fire_all}";

  BackfillRaceContract(Ground ground) {
    super(ground);
  }

  private static BackfillSteer cancelled(int runs) {
    return new BackfillSteer.Done(BackfillState.CANCELLED, runs);
  }

  @Test
  void plan_behind_the_cancel_of_a_backfill_starts_none_of_its_runs() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 1);
          stage.backfills.advanceAll();
          var run = stage.backfills.open(id).getFirst();
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(Contended.workflows(), () -> stage.backfills.cancel(id), intent::apply);
          assertThat(raced.first()).isEqualTo(cancelled(1));
          assertThat(raced.second().effects().created()).isZero();
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "CANCELLED");
          stage.backfills.advanceAll();
          assertThat(stage.backfills.open(id)).isEmpty();
        });
  }

  @Test
  void cancel_of_a_backfill_behind_a_plan_lets_the_started_run_continue() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 1);
          stage.backfills.advanceAll();
          var run = stage.backfills.open(id).getFirst();
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(Contended.workflows(), intent::apply, () -> stage.backfills.cancel(id));
          assertThat(raced.first().effects().created()).isEqualTo(1);
          assertThat(raced.second()).isEqualTo(cancelled(0));
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void backfill_creates_nothing_behind_its_cancel() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 2);
          var other = stage.backfills.start(3, 2);
          var raced =
              stage.race(
                  Contended.backfills(),
                  () -> stage.backfills.cancel(id),
                  () -> stage.backfills.advance());
          assertThat(raced.first()).isEqualTo(cancelled(0));
          assertThat(raced.secondFailure()).isNull();
          assertThat(stage.backfills.open(id)).isEmpty();
          assertThat(stage.backfills.open(other)).as("what the same round creates").hasSize(2);
        });
  }

  @Test
  void cancel_behind_the_creation_of_runs_cancels_them() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 2);
          var raced =
              stage.race(
                  Contended.backfills(),
                  () -> stage.backfills.advanceFirst(id),
                  () -> stage.backfills.cancel(id));
          var runs = stage.backfills.open(id);
          assertThat(runs).hasSize(2);
          assertThat(raced.second()).isEqualTo(cancelled(2));
          stage.runs.plan();
          assertThat(stage.backfills.open(id)).isEmpty();
          assertThat(runs).allSatisfy(run -> assertThat(stage.path(run)).endsWith("CANCELLED"));
        });
  }

  @Test
  void backfill_creates_nothing_behind_its_pause() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 2);
          stage.race(
              Contended.backfills(),
              () -> stage.backfills.pause(id),
              () -> stage.backfills.advance());
          assertThat(stage.backfills.open(id)).isEmpty();
          stage.backfills.resume(id);
          stage.backfills.advanceAll();
          assertThat(stage.backfills.open(id)).hasSize(2);
        });
  }

  @Test
  void of_two_rounds_at_a_time_one_decides_an_instant() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var id = stage.backfills.start(3, 1);
          stage.race(
              Contended.backfills(),
              () -> stage.backfills.advanceFirst(id),
              () -> stage.backfills.advance());
          assertThat(stage.backfills.open(id)).hasSize(1);
        });
  }

  @Test
  void backfill_behind_a_fire_sees_its_run() {
    inEveryWay(
        stage -> {
          stage.schedules.register(DAILY);
          stage.clock.step(Backfills.DAY);
          var id = stage.backfills.start(2, 2, Existing.MISSING, true);
          stage.race(
              Contended.triggers(), stage.schedules::fireFirst, () -> stage.backfills.advance());
          stage.backfills.advanceAll();
          assertThat(stage.schedules.ledger()).containsExactly("00:00 fired");
          assertThat(stage.backfills.open(id)).hasSize(1);
          assertThat(stage.runs.marked()).hasSize(2);
        });
  }

  @Test
  void fire_behind_a_backfill_sees_its_run() {
    inEveryWay(
        stage -> {
          stage.schedules.register(DAILY);
          stage.clock.step(Backfills.DAY);
          var id = stage.backfills.start(2, 2, Existing.MISSING, true);
          stage.race(
              Contended.triggers(), () -> stage.backfills.advanceFirst(id), stage.schedules::fire);
          stage.schedules.fire();
          assertThat(stage.schedules.ledger()).containsExactly("00:00 skipped backfill: " + id);
          assertThat(stage.runs.marked()).isEqualTo(stage.backfills.open(id)).hasSize(2);
        });
  }

  @Test
  void deposed_leader_creates_nothing() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          var id = stage.backfills.start(3, 1);
          var raced =
              stage.race(Contended.epochLock(), next::campaign, () -> stage.backfills.advance());
          assertThat(stage.backfills.open(id)).isEmpty();
          stage.epoch = raced.first().orElseThrow();
          stage.backfills.advanceAll();
          assertThat(stage.backfills.open(id)).hasSize(1);
        });
  }
}
