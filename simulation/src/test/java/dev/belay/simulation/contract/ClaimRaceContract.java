package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.BACKOFF;
import static dev.belay.simulation.contract.Stage.FAR_AWAY;
import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.reconnected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A claim or a sign of life, and somebody else who writes about the same task or worker. */
abstract class ClaimRaceContract extends RaceContract {

  private static final Registration ACCEPTED = new Registration.Accepted();

  ClaimRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void task_is_claimed_for_one_worker() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var first = stage.newWorker();
          var second = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(first, stage.claimOf(task)),
                  () -> stage.claim(second, stage.claimOf(task)));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.path(task)).hasSize(2);
          assertThat(stage.workers.readMailbox(second, List.of())).hasValue(List.of());
        });
  }

  @Test
  void deposed_leader_claims_nothing_and_the_next_one_does() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var claim = stage.claimOf(task);
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          var raced =
              stage.race(Contended.epochLock(), next::campaign, () -> stage.claim(worker, claim));
          assertThat(raced.first()).hasValue(new Epoch(2));
          assertThat(raced.secondFailure()).isNotNull();
          assertThat(stage.path(task)).hasSize(1);
          stage.epoch = new Epoch(2);
          stage.claimed(worker, task);
        });
  }

  @Test
  void task_is_claimed_in_the_task_queue_in_which_it_waits() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var other = stage.submit(RETRIES, "other", 50, null);
          var elsewhere =
              stage.candidates(Map.of("other", 1), List.of(), FAR_AWAY).getFirst().queue();
          var here = stage.candidates(Map.of(POOL, 1), List.of(), FAR_AWAY).getFirst().queue();
          var first = stage.newWorker();
          var second = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(first, stage.claimOf(task, elsewhere)),
                  () -> stage.claim(second, stage.claimOf(task, here)));
          assertThat(raced.first()).isEmpty();
          assertThat(raced.second()).containsExactly(task);
          assertThat(stage.state(other)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  /** As the leader does for a claim without an answer, before it reads who holds what. */
  @Test
  void claim_that_began_is_over_when_it_is_settled() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(worker, stage.claimOf(task)),
                  () -> {
                    stage.dispatches.settle();
                    var others = stage.store.others(() -> {});
                    var held = stage.dispatches.readWorkers().held();
                    stage.store.others(others);
                    return held;
                  });
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).hasSize(1);
        });
  }

  @Test
  void cancelled_task_is_not_claimed() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.cancel(task),
                  () -> stage.claim(worker, stage.claimOf(task)));
          assertThat(raced.second()).isEmpty();
          assertThat(stage.path(task)).endsWith("CANCELLED cancelled").hasSize(2);
        });
  }

  @Test
  void cancel_behind_the_claim_asks_the_worker() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var claim = stage.claimOf(task);
          var raced =
              stage.race(
                  Contended.task(task), () -> stage.claim(worker, claim), () -> stage.cancel(task));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).isTrue();
          assertThat(stage.state(task)).isEqualTo(TaskState.DISPATCHED);
          assertThat(stage.abortReason(new Dispatched(task, claim.dispatch(), worker)))
              .isEqualTo("cancelled");
        });
  }

  /** Either the hello sees the claim, or the claim sees the new session. */
  @Test
  void claim_behind_a_hello_of_a_new_session_takes_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var restarted = stage.restarted(worker);
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.register(restarted, 2_000),
                  () -> stage.claim(worker, stage.claimOf(task)));
          assertThat(raced.first()).isEqualTo(ACCEPTED);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
        });
  }

  @Test
  void hello_behind_a_claim_finds_it_in_the_mailbox() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES);
          var worker = stage.newWorker();
          var restarted = stage.restarted(worker);
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.claim(worker, stage.claimOf(task)),
                  () -> stage.register(restarted, 2_000));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second()).isEqualTo(ACCEPTED);
          assertThat(stage.workers.readMailbox(restarted, List.of()).orElseThrow())
              .extracting(MailboxEntry::session)
              .containsExactly(worker.session());
        });
  }

  @Test
  void late_hello_of_an_older_process_behind_the_newer_one_is_refused() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          var older = stage.restarted(worker);
          var newer = stage.restarted(worker);
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.register(newer, 3_000),
                  () -> stage.register(older, 2_000));
          assertThat(raced.first()).isEqualTo(ACCEPTED);
          assertThat(raced.second()).isInstanceOf(Registration.Refused.class);
          assertThat(stage.workers.readMailbox(newer, List.of())).isPresent();
        });
  }

  /** Both have the join token, and one has heard of the other's id before it joined. */
  @Test
  void of_two_first_hellos_with_one_id_one_sets_the_key() {
    inEveryWay(
        stage -> {
          var real =
              new Peer(new WorkerId(stage.ids().next()), new SessionId(stage.ids().next()), 1);
          var thief = stage.restarted(real);
          var raced =
              stage.race(
                  Contended.workers(),
                  () -> stage.register(real, 1, Stage.KEY),
                  () -> stage.register(thief, 2, WorkerKey.random(new Random(2))));
          // Whoever comes first, the other one stays out.
          boolean realWon = raced.first().equals(ACCEPTED);
          var refused = Registration.Refused.wrongKey(realWon ? thief : real);
          assertThat(List.of(raced.first(), raced.second()))
              .containsExactlyInAnyOrder(ACCEPTED, refused);
          assertThat(stage.workers.readMailbox(realWon ? real : thief, List.of())).isPresent();
        });
  }

  @Test
  void rebind_behind_a_further_hello_binds_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.dispatched(RETRIES);
          var second = stage.restarted(task.to());
          stage.register(second, 2_000);
          var third = stage.restarted(task.to());
          var binding = task.binding(false);
          var raced =
              stage.race(
                  Contended.worker(task.to().worker()),
                  () -> stage.register(third, 3_000),
                  () -> stage.workers.rebind(second, List.of(binding)));
          assertThat(raced.first()).isEqualTo(ACCEPTED);
          assertThat(raced.second()).isEmpty();
          assertThat(stage.workers.rebind(third, List.of(binding))).containsExactly(task.id());
        });
  }

  @Test
  void promotion_behind_a_cancel_moves_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          stage.heartbeat(task.exited(1));
          stage.clock.step(BACKOFF);
          var raced =
              stage.race(
                  Contended.task(task.task()), () -> stage.cancel(task.task()), stage::promote);
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task.task()))
              .endsWith("PENDING exit_code: 1", "CANCELLED cancelled");
        });
  }

  @Test
  void cancel_behind_a_promotion_cancels() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          stage.heartbeat(task.exited(1));
          stage.clock.step(BACKOFF);
          var raced =
              stage.race(
                  Contended.task(task.task()), stage::promote, () -> stage.cancel(task.task()));
          assertThat(raced.first()).isEqualTo(1);
          assertThat(stage.path(task.task())).endsWith("SCHEDULED due", "CANCELLED cancelled");
        });
  }

  @Test
  void of_two_promotions_one_moves_the_task() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          stage.heartbeat(task.exited(1));
          stage.clock.step(BACKOFF);
          var raced = stage.race(Contended.task(task.task()), stage::promote, stage::promote);
          assertThat(raced.first()).isEqualTo(1);
          assertThat(raced.second()).isZero();
          assertThat(stage.path(task.task())).hasSize(5).endsWith("SCHEDULED due");
        });
  }

  @Test
  void deadline_does_not_end_what_was_just_claimed() {
    inEveryWay(
        stage -> {
          var task = stage.submit(RETRIES, POOL, 50, Duration.ofSeconds(1));
          var worker = stage.newWorker();
          stage.clock.step(Duration.ofSeconds(1));
          var raced =
              stage.race(
                  Contended.task(task),
                  () -> stage.claim(worker, stage.claimOf(task)),
                  () -> stage.reaps.expireDeadlines(stage.epoch, 10));
          assertThat(raced.first()).containsExactly(task);
          assertThat(raced.second().ended()).isZero();
          assertThat(stage.state(task)).isEqualTo(TaskState.DISPATCHED);
        });
  }

  @Test
  void reaper_behind_a_sign_of_life_ends_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.worker(task.to().worker()),
                  () -> stage.touch(task.to(), 1),
                  reaping::end);
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isEqualTo(Ended.NOTHING);
          assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
        });
  }

  @Test
  void reaper_behind_a_hello_ends_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.worker(task.to().worker()),
                  () -> stage.register(reconnected(task.to()), 1_000),
                  reaping::end);
          assertThat(raced.first()).isEqualTo(ACCEPTED);
          assertThat(raced.second()).isEqualTo(Ended.NOTHING);
          assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
        });
  }

  @Test
  void sign_of_life_behind_the_reaper_comes_too_late() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var reaping = new Reaping(stage, task);
          var raced =
              stage.race(
                  Contended.worker(task.to().worker()),
                  reaping::end,
                  () -> stage.touch(task.to(), 1));
          assertThat(raced.first().count()).isEqualTo(1);
          assertThat(raced.second()).isTrue();
          assertThat(stage.path(task.task())).endsWith("PENDING agent_lost");
        });
  }

  @Test
  void deposed_leader_reaps_nothing() {
    inEveryWay(
        stage -> {
          var task = stage.running(RETRIES);
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          var reaping = new Reaping(stage, task);
          var raced = stage.race(Contended.epochLock(), next::campaign, reaping::end);
          assertThat(raced.first()).isPresent();
          assertThat(raced.secondFailure()).isNotNull();
          assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
        });
  }

  @Test
  void worker_that_gave_a_sign_is_not_removed() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          stage.clock.step(Duration.ofSeconds(30));
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.touch(worker, 1),
                  () -> stage.intake.removeWorker(worker.worker()));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isFalse();
          assertThat(stage.takingWork()).hasSize(1);
        });
  }

  @Test
  void removed_worker_gives_no_sign() {
    inEveryWay(
        stage -> {
          var worker = stage.newWorker();
          stage.clock.step(Duration.ofSeconds(30));
          var raced =
              stage.race(
                  Contended.worker(worker.worker()),
                  () -> stage.intake.removeWorker(worker.worker()),
                  () -> stage.touch(worker, 1));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isFalse();
        });
  }
}
