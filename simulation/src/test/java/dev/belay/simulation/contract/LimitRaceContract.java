package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.LimitContract.cancelNew;
import static dev.belay.simulation.contract.LimitContract.cancelRunning;
import static dev.belay.simulation.contract.LimitContract.key;
import static dev.belay.simulation.contract.LimitContract.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import org.junit.jupiter.api.Test;

/** The leader takes tokens or resolves a conflict, and somebody else writes about it. */
abstract class LimitRaceContract extends RaceContract {

  LimitRaceContract(Ground ground) {
    super(ground);
  }

  /** What it had withdrawn is gone: nobody can spend it twice. */
  @Test
  void a_leader_that_is_deposed_meanwhile_withdraws_nothing() {
    inEveryWay(
        stage -> {
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          withdraw(stage, 0, 4);
          old.resign();
          var raced =
              stage.race(Contended.epochLock(), next::campaign, () -> withdraw(stage, 0, 4));
          assertThat(raced.first()).hasValue(new Epoch(2));
          assertThat(raced.secondFailure()).isNotNull();
          stage.epoch = new Epoch(2);
          assertThat(withdraw(stage, 0, 10).tokens()).isEqualTo(6);
        });
  }

  /** As of one leader that repeats what it does not know to be done. */
  @Test
  void two_withdrawals_share_a_bucket() {
    inEveryWay(
        stage -> {
          withdraw(stage, 0, 1);
          var raced =
              stage.race(
                  Contended.buckets(), () -> withdraw(stage, 0, 6), () -> withdraw(stage, 0, 6));
          assertThat(raced.first().tokens() + raced.second().tokens()).isEqualTo(9);
        });
  }

  @Test
  void a_task_that_was_just_claimed_is_not_cancelled() {
    inEveryWay(
        stage -> {
          stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
          var task = stage.submit(key(OnConflict.CANCEL_NEW));
          var worker = stage.newWorker();
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(worker, claim),
                  () -> cancelNew(stage, 10));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second().tasks()).isEmpty();
          assertThat(stage.path(task)).endsWith("DISPATCHED claimed");
        });
  }

  @Test
  void a_task_that_was_cancelled_is_not_claimed() {
    inEveryWay(
        stage -> {
          stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
          var task = stage.submit(key(OnConflict.CANCEL_NEW));
          var worker = stage.newWorker();
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> cancelNew(stage, 10),
                  () -> stage.claim(worker, claim));
          assertThat(raced.first().tasks()).hasSize(1);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.path(task)).endsWith("CANCELLED concurrency_key").hasSize(2);
        });
  }

  /** A person cancels another task meanwhile. */
  @Test
  void a_key_whose_holder_ended_without_the_knowledge_of_the_leader_cancels_nothing() {
    inEveryWay(
        stage -> {
          var holder = stage.running(key(OnConflict.QUEUE));
          var cancelled = stage.submit(key(OnConflict.CANCEL_NEW));
          var waiting = stage.submit(key(OnConflict.CANCEL_NEW));
          stage.heartbeat(holder.exited(0));
          var raced =
              stage.race(
                  Contended.task(cancelled),
                  () -> stage.cancel(cancelled),
                  () -> cancelNew(stage, 10));
          assertThat(raced.second().full()).isEmpty();
          assertThat(stage.path(cancelled)).endsWith("CANCELLED cancelled");
          assertThat(stage.state(waiting)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  @Test
  void a_person_and_a_full_key_end_a_task_once() {
    inEveryWay(
        stage -> {
          stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
          var task = stage.submit(key(OnConflict.CANCEL_NEW));
          stage.race(Contended.task(task), () -> stage.cancel(task), () -> cancelNew(stage, 10));
          assertThat(stage.path(task)).endsWith("CANCELLED cancelled").hasSize(2);
        });
  }

  @Test
  void a_holder_that_ends_meanwhile_is_not_asked() {
    inEveryWay(
        stage -> {
          var holder = stage.running(key(OnConflict.CANCEL_RUNNING));
          stage.submit(key(OnConflict.CANCEL_RUNNING));
          var raced =
              stage.race(
                  Contended.task(holder.task()),
                  () -> stage.heartbeat(holder.exited(0)),
                  () -> cancelRunning(stage));
          assertThat(raced.second()).isEmpty();
          assertThat(stage.state(holder.task())).isEqualTo(TaskState.SUCCEEDED);
        });
  }

  @Test
  void a_holder_that_was_asked_first_ends_as_asked() {
    inEveryWay(
        stage -> {
          var holder = stage.running(key(OnConflict.CANCEL_RUNNING));
          stage.submit(key(OnConflict.CANCEL_RUNNING));
          var raced =
              stage.race(
                  Contended.task(holder.task()),
                  () -> cancelRunning(stage),
                  () -> stage.heartbeat(holder.killed(15)));
          assertThat(raced.first()).hasSize(1);
          assertThat(stage.path(holder.task())).endsWith("CANCELLED concurrency_key");
        });
  }
}
