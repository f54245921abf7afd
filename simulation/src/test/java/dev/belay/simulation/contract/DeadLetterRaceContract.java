package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.settle.Outcome;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A task is given up, and somebody else writes about it. */
abstract class DeadLetterRaceContract extends RaceContract {

  DeadLetterRaceContract(Ground ground) {
    super(ground);
  }

  private static int giveUp(Stage stage) {
    return DeadLetterContract.giveUp(stage, POOL, Instant.EPOCH, 10);
  }

  @Test
  void a_task_that_was_just_claimed_is_not_given_up() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          stage.clock.step(DeadLetterContract.PATIENCE);
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task), () -> stage.claim(worker, claim), () -> giveUp(stage));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task)).endsWith("DISPATCHED claimed");
          assertThat(DeadLetterContract.letters(stage, task)).isEmpty();
        });
  }

  /** The claim waits for as long, so that the task seems to have its state for long enough. */
  @Test
  void a_task_whose_claim_took_long_is_not_given_up() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          stage.clock.step(DeadLetterContract.PATIENCE);
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(worker, claim),
                  () -> {
                    stage.clock.step(DeadLetterContract.PATIENCE);
                    return giveUp(stage);
                  });
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task)).endsWith("DISPATCHED claimed");
        });
  }

  @Test
  void a_task_that_was_given_up_is_not_claimed() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          stage.clock.step(DeadLetterContract.PATIENCE);
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task), () -> giveUp(stage), () -> stage.claim(worker, claim));
          assertThat(raced.first()).isEqualTo(1);
          assertThat(raced.second()).isEmpty();
          assertThat(DeadLetterContract.letters(stage, task)).hasSize(1);
        });
  }

  @Test
  void of_two_turns_one_gives_a_task_up() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          stage.clock.step(DeadLetterContract.PATIENCE);
          var raced = stage.race(Contended.task(task), () -> giveUp(stage), () -> giveUp(stage));
          assertThat(raced.first() + raced.second()).isEqualTo(1);
          assertThat(DeadLetterContract.letters(stage, task)).hasSize(1);
        });
  }

  /** The batch waits for the first of two tasks; meanwhile a worker refuses the other. */
  @Test
  void a_task_that_waits_anew_is_not_given_up() {
    inEveryWay(
        stage -> {
          var first = stage.submit(RETRIES);
          var second = stage.submit(RETRIES);
          var worker = stage.newWorker();
          stage.clock.step(DeadLetterContract.PATIENCE);
          stage.race(
              Contended.task(first).onlyBySecond(),
              () -> {
                var claimed = stage.claimed(worker, second);
                return stage.heartbeat(
                    WorkerEvent.Ended.of(
                        worker.worker(),
                        worker.session(),
                        claimed.id(),
                        second,
                        new Outcome.Refused("full")));
              },
              () -> giveUp(stage));
          assertThat(stage.path(second)).endsWith("SCHEDULED refused: full");
          assertThat(DeadLetterContract.letters(stage, second)).isEmpty();
          assertThat(DeadLetterContract.letters(stage, first)).hasSize(1);
        });
  }
}
